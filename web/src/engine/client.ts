// SPDX-License-Identifier: Apache-2.0
// client.ts - the page's side of the engine: requests as promises, Stop, and a new Worker where the
// old one had to be ended.
import type { Description, EngineProblem } from './types.ts';
import type { OpenedTable, OpenOptions, Request } from './worker.ts';

export class Refused extends Error {
  constructor(readonly problem: EngineProblem) {
    super(problem.message);
  }
}
type Waiting = { done: (answer: unknown) => void; fail: (error: Error) => void };

export class EngineClient {
  onProgress: (phase: string, fraction: number, loss: number) => void = () => {};
  description!: Description & { suspends: boolean };
  memory = 0;
  private worker!: Worker;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private opening: Request | null = null; // how the table came in, to open it again

  async start(): Promise<void> {
    const url = URL.createObjectURL(
      new Blob([textOf('worker-source')], { type: 'text/javascript' }),
    );
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = (event) => this.receive(event.data);
    this.worker.onerror = (event) => this.failAll(event.message);
    this.description = await this.ask({ op: 'start', engine: textOf('engine-module').trim() });
  }

  private receive(data: {
    id?: number;
    answer?: unknown;
    problem?: EngineProblem;
    memory?: number;
    progress?: { phase: string; fraction: number; loss: number };
  }): void {
    if (data.progress)
      return this.onProgress(data.progress.phase, data.progress.fraction, data.progress.loss);
    const waiting = this.waiting.get(data.id!);
    this.waiting.delete(data.id!);
    if (data.memory) this.memory = data.memory;
    if (data.problem) waiting?.fail(new Refused(data.problem));
    else waiting?.done(data.answer);
  }

  private failAll(message: string): void {
    for (const w of this.waiting.values())
      w.fail(
        new Refused({
          status: 'SHOAL_EINTERNAL',
          message: message || 'the engine ended',
          fix: 'open the page again',
          file: '',
          column: '',
          row: 0,
          line: 0,
        }),
      );
    this.waiting.clear();
  }

  private ask<T>(request: Request): Promise<T> {
    const id = this.next++;
    return new Promise<T>((done, fail) => {
      this.waiting.set(id, { done: done as (a: unknown) => void, fail });
      this.worker.postMessage({ id, request });
    });
  }

  private openBy(request: Request & { options: OpenOptions }): Promise<OpenedTable> {
    this.opening = request;
    return this.ask(request);
  }
  open(file: Blob, options: OpenOptions): Promise<OpenedTable> {
    return this.openBy({ op: 'open', file, options });
  }
  generate(rows: number, seed: number): Promise<OpenedTable> {
    return this.openBy({ op: 'generate', rows, seed, options: {} });
  }
  reopen(options: OpenOptions): Promise<OpenedTable> {
    if (this.opening && 'options' in this.opening) this.opening.options = options;
    return this.ask({ op: 'reopen', options });
  }
  call<T>(name: string, request: unknown = {}, files?: Record<string, string>): Promise<T> {
    return this.ask({ op: 'call', name, request, files });
  }
  population(file: Blob): Promise<void> {
    return this.ask({ op: 'population', file });
  }
  releaseText(id: number, part = 0): Promise<Blob> {
    return this.ask({ op: 'release', id, part });
  }

  /** Ask the running call to end with what it has. False: this browser cannot; see restart(). */
  stop(): boolean {
    this.worker.postMessage({ stop: true });
    return this.description.suspends;
  }

  /**
   * End the Worker whatever it does, and open the table in a new one. Its releases are lost.
   */
  async restart(): Promise<void> {
    this.worker.terminate();
    this.waiting.clear();
    await this.start();
    if (this.opening) await this.ask(this.opening);
  }
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}
