// SPDX-License-Identifier: Apache-2.0
// worker.ts - the engine in a Worker: one request after the other; Stop between, and where the
// browser allows it within, a call.
import { Engine, EngineError, canSuspend } from './engine.ts';
import { findEncoding, toUtf8, type Encoding } from './encoding.ts';
import type { Columns, Opened } from './types.ts';

export interface OpenOptions {
  encoding?: Encoding;
  delimiter?: string;
  header?: boolean;
  nulls?: string[];
}
export type Request =
  | { op: 'start'; engine: string }
  | { op: 'open'; file: Blob; options: OpenOptions }
  | { op: 'generate'; rows: number; seed: number; options: OpenOptions }
  | { op: 'reopen'; options: OpenOptions }
  | { op: 'call'; name: string; request: unknown; files?: Record<string, string> }
  | { op: 'population'; file: Blob }
  | { op: 'release'; id: number; part: number };
export interface OpenedTable {
  opened: Opened;
  columns: Columns;
  encoding: Encoding;
}
type Incoming = { id: number; request: Request } | { stop: true };

const PAUSE_MS = 60; // between two looks at the messages
const scope = self as unknown as Worker;
let engine: Engine;
let stopped = false,
  lastPause = 0,
  isServing = false;
const waiting: { id: number; request: Request }[] = [];

const channel = new MessageChannel();
const breathe = () =>
  new Promise<void>((done) => {
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(0);
  });

function progress(phase: string, fraction: number, loss: number): number | Promise<number> {
  const now = performance.now();
  if (phase === 'again') stopped = false;
  if (now - lastPause < PAUSE_MS) return stopped ? 1 : 0;
  lastPause = now;
  scope.postMessage({ progress: { phase, fraction, loss } });
  return canSuspend() ? breathe().then(() => (stopped ? 1 : 0)) : 0;
}

async function start(packed: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  engine = await Engine.start(await new Response(unpacked).arrayBuffer(), progress);
  return { ...(await engine.call<object>('describe')), suspends: canSuspend() };
}

let encoding: Encoding = 'utf-8',
  source: Uint8Array | null = null; // the text before it became UTF-8

async function openText(
  place: { at: number; size: number },
  options: OpenOptions,
): Promise<OpenedTable> {
  const bytes = engine.look(place.at, place.size);
  encoding = options.encoding ?? findEncoding(bytes);
  source = encoding === 'utf-8' ? null : bytes.slice();
  return open(options);
}

async function open(options: OpenOptions): Promise<OpenedTable> {
  if (source) {
    const text = toUtf8(source, encoding);
    await engine.call('replace-text', { at: engine.put(text), size: text.length });
  }
  const opened = await engine.call<Opened>('open', options);
  return { opened, columns: await engine.call<Columns>('columns'), encoding };
}

async function handle(request: Request): Promise<unknown> {
  switch (request.op) {
    case 'start':
      return start(request.engine);
    case 'open': {
      engine.files.files.set('in/table', new Uint8Array(await request.file.arrayBuffer()));
      try {
        return await openText(await engine.call('unpack', { path: '/in/table' }), request.options);
      } finally {
        engine.files.files.delete('in/table');
      }
    }
    case 'generate':
      return openText(await engine.call('generate', request), request.options);
    case 'reopen':
      if (request.options.encoding && request.options.encoding !== encoding) {
        const place = await engine.call<{ at: number; size: number }>('text');
        source ??= engine.bytes(place.at, place.size);
        encoding = request.options.encoding;
      }
      return open(request.options);
    case 'population':
      engine.files.files.set(
        'plan/population.csv',
        new Uint8Array(await request.file.arrayBuffer()),
      );
      return null;
    case 'call':
      for (const [path, text] of Object.entries(request.files ?? {}))
        engine.files.files.set('plan/' + path, new TextEncoder().encode(text));
      return engine.call(request.name, request.request);
    case 'release': {
      const place = await engine.call<{ at: number; size: number }>('release-text', {
        id: request.id,
        part: request.part,
      });
      return new Blob([engine.bytes(place.at, place.size)], { type: 'text/csv' });
    }
  }
}

async function serve(id: number, request: Request): Promise<void> {
  stopped = false;
  try {
    scope.postMessage({ id, answer: await handle(request), memory: engine.memoryBytes });
  } catch (error) {
    const problem =
      error instanceof EngineError
        ? error.problem
        : {
            status: 'SHOAL_EINTERNAL',
            message: String(error),
            fix: 'open the page again; if it happens again, report it',
            file: '',
            column: '',
            row: 0,
            line: 0,
          };
    scope.postMessage({ id, problem });
  }
}

/** One after the other; files to export go before numbers to display. */
async function serveAll(): Promise<void> {
  if (isServing) return;
  isServing = true;
  for (let next; waiting.length > 0; await serve(next.id, next.request))
    [next] = waiting.splice(
      Math.max(
        0,
        waiting.findIndex((w) => w.request.op === 'release'),
      ),
      1,
    );
  isServing = false;
}

scope.onmessage = (event: MessageEvent<Incoming>) => {
  const message = event.data;
  if ('stop' in message) stopped = true;
  else {
    waiting.push(message);
    void serveAll();
  }
};
