// SPDX-License-Identifier: Apache-2.0
// frontier.tsx - what a larger k costs: trials for several k, drawn and listed; a point can be
// chosen.
import { useState } from 'preact/hooks';
import { findFrontier, makeRelease } from '../actions.ts';
import { busy, changePlan, draft, engine, table } from '../state.ts';
import type { Trial } from '../engine/types.ts';
import { decimal, share } from './bits.tsx';
import { FrontierCurve } from './charts.tsx';

const candidates = [2, 3, 5, 10, 15, 25, 50, 100];

export function Frontier() {
  const [trials, setTrials] = useState<Trial[]>([]);
  const [knee, setKnee] = useState<number | null>(null);
  const run = async () => {
    const ks = candidates.filter((k) => k * 2 <= (table.value?.opened.rows ?? 0));
    let last: Trial[] = [];
    setKnee(null);
    await findFrontier(ks, (all) => {
      last = all;
      setTrials([...all]);
    });
    if (last.length > 2)
      setKnee(
        await engine.call<number | null>('knee', {
          x: last.map((t) => t.k),
          y: last.map((t) => t.numbers.gcp),
        }),
      );
  };
  const choose = (k: number) => {
    if (busy.value !== null) return;
    changePlan({ k });
    void makeRelease({ ...draft.value.plan, k });
  };
  return (
    <div class="card">
      <h3>Frontier: loss for each k</h3>
      <p class="row">
        <button type="button" disabled={busy.value !== null} onClick={() => void run()}>
          Find frontier
        </button>
        <span class="quiet">Makes one release per k and keeps only its numbers.</span>
      </p>
      {trials.length > 0 && (
        <>
          <FrontierCurve trials={trials} knee={knee} choose={choose} />
          <table>
            <thead>
              <tr>
                <th scope="col">k</th>
                <th scope="col">loss</th>
                <th scope="col">lower bound</th>
                <th scope="col">highest risk</th>
                <th scope="col">seconds</th>
                <th scope="col"></th>
              </tr>
            </thead>
            <tbody>
              {trials.map((t, i) => (
                <tr>
                  <th scope="row">
                    {t.k}
                    {i === knee ? ' (knee)' : ''}
                  </th>
                  <td>{decimal(t.numbers.gcp)}</td>
                  <td>
                    {t.numbers.lower_bound === undefined ? '' : decimal(t.numbers.lower_bound)}
                  </td>
                  <td>{share(t.numbers.risk_max)}</td>
                  <td>{decimal(t.numbers.seconds, 1)}</td>
                  <td>
                    <button
                      type="button"
                      disabled={busy.value !== null}
                      onClick={() => choose(t.k)}
                    >
                      Choose k {t.k}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}
