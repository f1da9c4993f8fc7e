// SPDX-License-Identifier: Apache-2.0
// engine-in-node.ts - the engine as tests of this folder run it: in this process, without a page.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Engine, type Progress } from '../src/engine/engine.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const wasmPath = process.env.SHOAL_ENGINE ?? root + 'build-web/web/engine/engine.wasm';
export const shoalPath = process.env.SHOAL ?? root + 'build/shoal';
export const adultFolder =
  [(process.env.SHOAL_DATA ?? root + '../shared/data') + '/adult'].find((p) => existsSync(p)) ??
  null;

export const startEngine = (progress: Progress = () => 0): Promise<Engine> =>
  Engine.start(readFileSync(wasmPath), progress, false);
export const shoal = (...args: string[]): Buffer =>
  execFileSync(shoalPath, args, { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 30 });

/** Put a table into the engine as the Worker does. */
export async function openBytes(
  engine: Engine,
  bytes: Uint8Array,
  options: object = {},
): Promise<void> {
  engine.files.files.set('in/table', bytes);
  await engine.call('unpack', { path: '/in/table' });
  engine.files.files.delete('in/table');
  await engine.call('open', options);
}
