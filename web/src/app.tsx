// SPDX-License-Identifier: Apache-2.0
// app.tsx - the page: five steps, undo and redo, the line that says what is going on.
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { goTo } from './actions.ts';
import {
  busy,
  canRedo,
  canUndo,
  engine,
  ready,
  redo,
  release,
  step,
  steps,
  table,
  undo,
} from './state.ts';
import { decimal } from './parts/bits.tsx';
import { ColumnsStep } from './steps/columns.tsx';
import { Open } from './steps/open.tsx';
import { Protect } from './steps/protect.tsx';
import { ReleaseStep } from './steps/release.tsx';
import { ExportStep } from './steps/export.tsx';

const phases: Record<string, string> = {
  read: 'reading',
  search: 'searching',
  refine: 'improving',
  write: 'writing',
  verify: 'checking',
  bound: 'computing the lower bound',
  apply: 'applying',
  again: 'restarting for a first release',
};

function BusyLine() {
  const b = busy.value;
  return (
    <div class="busy" role="status" aria-live="polite">
      {b && (
        <>
          <span>
            {b.what}
            {b.phase ? ': ' + (phases[b.phase] ?? b.phase) : ''} …
          </span>
          {b.phase === 'refine' && b.loss >= 0 && <span>loss so far {decimal(b.loss)}</span>}
          <progress
            aria-label={b.what}
            max={1}
            {...(b.fraction >= 0 ? { value: b.fraction } : {})}
          />
        </>
      )}
    </div>
  );
}

function App() {
  useEffect(() => {
    const keys = (e: KeyboardEvent) => {
      const inText = e.target instanceof HTMLInputElement && e.target.type !== 'checkbox';
      if (!(e.ctrlKey || e.metaKey) || inText || document.querySelector('dialog[open]')) return;
      if (e.key === 'z' && !e.shiftKey) {
        e.preventDefault();
        undo();
      }
      if (e.key === 'y' || (e.key === 'Z' && e.shiftKey)) {
        e.preventDefault();
        redo();
      }
    };
    const leaving = (e: BeforeUnloadEvent) => {
      if (table.value) e.preventDefault();
    };
    addEventListener('keydown', keys);
    addEventListener('beforeunload', leaving);
    return () => {
      removeEventListener('keydown', keys);
      removeEventListener('beforeunload', leaving);
    };
  }, []);
  if (!ready.value)
    return (
      <main>
        <p>Starting the engine …</p>
      </main>
    );
  const views = {
    Open: <Open />,
    Columns: <ColumnsStep />,
    Protect: <Protect />,
    Release: <ReleaseStep />,
    Export: <ExportStep />,
  };
  return (
    <>
      <header>
        <h1>Shoal workbench</h1>
        <nav aria-label="Steps">
          <ol>
            {steps.map((s, i) => (
              <li>
                <button
                  type="button"
                  aria-current={step.value === s ? 'step' : undefined}
                  disabled={s !== 'Open' && !table.value}
                  onClick={() => goTo(s)}
                >
                  <span>{i + 1}</span> {s}
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <div class="row">
          <button type="button" disabled={!canUndo.value} onClick={undo}>
            Undo
          </button>
          <button type="button" disabled={!canRedo.value} onClick={redo}>
            Redo
          </button>
        </div>
      </header>
      <BusyLine />
      <main>{views[step.value]}</main>
      <footer>
        <p>
          All work is done on this computer: the page cannot send data and stores nothing. Export
          what you want to keep. Shoal {engine.description.version}
          {release.value ? `; engine memory ${Math.round(engine.memory / 1048576)} MB` : ''}.
        </p>
      </footer>
    </>
  );
}

const place = document.getElementById('app')!;
place.replaceChildren();
render(<App />, place);
engine.start().then(
  () => {
    ready.value = true;
  },
  (error) => {
    place.textContent =
      `The engine did not start: ${error.message}. ` + 'Use a browser of 2023 or later.';
  },
);
