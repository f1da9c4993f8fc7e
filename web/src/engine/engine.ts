// SPDX-License-Identifier: Apache-2.0
// engine.ts - the WebAssembly engine as an object: call a name with a request, get an answer or an
// EngineError.
//
// `progress` is asked now and then. It may return a promise where the browser can suspend
// WebAssembly (JavaScript Promise Integration): then messages of the page, Stop among them, are
// read in the middle of a call. Without that the answer is at once.
import { MemoryFiles } from './memory-files.ts';
import type { EngineProblem } from './types.ts';

export class EngineError extends Error {
  constructor(readonly problem: EngineProblem) {
    super(problem.message);
  }
}

/** `loss` is that of the best release so far; below 0: not known. */
export type Progress = (phase: string, fraction: number, loss: number) => number | Promise<number>;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  engine_allocate(size: number): number;
  engine_release(block: number): void;
  engine_call(name: number, request: number): number;
}
type Suspending = {
  Suspending?: new (f: unknown) => WebAssembly.ImportValue;
  promising?: (f: unknown) => (...a: number[]) => Promise<number>;
};

export const canSuspend = (): boolean =>
  typeof (WebAssembly as Suspending).Suspending === 'function';

export class Engine {
  readonly files = new MemoryFiles();
  private exports!: Exports;
  private run!: (name: number, request: number) => number | Promise<number>;

  static async start(
    module: BufferSource,
    progress: Progress,
    suspends = canSuspend(),
  ): Promise<Engine> {
    const engine = new Engine(),
      jspi = WebAssembly as Suspending;
    const ask = (phase: number, fraction: number, loss: number) =>
      progress(engine.textAt(phase), fraction, loss);
    const { instance } = await WebAssembly.instantiate(module, {
      shoal: { progress: suspends ? new jspi.Suspending!(ask) : ask },
      wasi_snapshot_preview1: engine.files.imports() as WebAssembly.ModuleImports,
    });
    engine.exports = instance.exports as unknown as Exports;
    engine.files.attach(engine.exports.memory);
    engine.exports._initialize();
    engine.run = suspends
      ? jspi.promising!(engine.exports.engine_call)
      : engine.exports.engine_call;
    return engine;
  }

  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** A copy of bytes of the engine. */
  bytes(at: number, size: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer, at, size).slice();
  }
  /** The bytes themselves; valid until the next call. */
  look(at: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, at, size);
  }

  /** Give bytes to the engine; what it does not take over is freed with free(). */
  put(bytes: Uint8Array): number {
    const at = this.exports.engine_allocate(bytes.length);
    if (at === 0) throw new EngineError(noMemory);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }
  free(at: number): void {
    this.exports.engine_release(at);
  }

  async call<T>(name: string, request: unknown = {}): Promise<T> {
    const a = this.putText(name),
      b = this.putText(JSON.stringify(request));
    const at = await this.run(a, b);
    this.free(a);
    this.free(b);
    if (at === 0) throw new EngineError(noMemory);
    const reply = JSON.parse(this.textAt(at)) as { answer?: T; error?: EngineProblem };
    this.free(at);
    if (reply.error) throw new EngineError(reply.error);
    return reply.answer as T;
  }

  private putText(text: string): number {
    return this.put(new TextEncoder().encode(text + '\0'));
  }
  private textAt(at: number): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  }
}

const noMemory: EngineProblem = {
  status: 'SHOAL_ENOMEM',
  message: 'memory is short',
  fix: 'use the command for a table of this size',
  file: '',
  column: '',
  row: 0,
  line: 0,
};
