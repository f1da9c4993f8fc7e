// SPDX-License-Identifier: Apache-2.0
// memory-files.ts - the system that the engine sees: a few files in memory, a clock, random
// numbers; nothing of the computer.
//
// The calls of WASI (preview 1) that the engine imports. Files are read only; what would write or
// leave the page fails.

const OK = 0,
  BADF = 8,
  EXIST = 20,
  NOENT = 44,
  NOSYS = 52,
  NOTDIR = 54;
const ROOT = 3; // the descriptor of "/"
const KIND_FOLDER = 3,
  KIND_FILE = 4;

interface OpenFile {
  bytes: Uint8Array | null;
  path: string;
  at: number;
}

export class MemoryFiles {
  readonly files = new Map<string, Uint8Array>();
  /** Text that the engine wrote to its error stream: a failed assertion, say. */
  errorText = '';
  private open = new Map<number, OpenFile>([[ROOT, { bytes: null, path: '', at: 0 }]]);
  private memory!: WebAssembly.Memory;

  attach(memory: WebAssembly.Memory): void {
    this.memory = memory;
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }
  private text(at: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length).slice());
  }

  private names(folder: string): string[] {
    const begin = folder === '' ? '' : folder + '/';
    return [...this.files.keys()]
      .filter((p) => p.startsWith(begin) && !p.slice(begin.length).includes('/'))
      .map((p) => p.slice(begin.length));
  }

  private isFolder(path: string): boolean {
    return path === '' || [...this.files.keys()].some((p) => p.startsWith(path + '/'));
  }

  private read(fd: number, iovs: number, n: number, out: number, from: number | null): number {
    const file = this.open.get(fd);
    if (!file?.bytes) return BADF;
    const view = this.view();
    let at = from ?? file.at,
      total = 0;
    for (let i = 0; i < n; i++) {
      const to = view.getUint32(iovs + 8 * i, true),
        room = view.getUint32(iovs + 8 * i + 4, true);
      const piece = file.bytes.subarray(at, at + room);
      new Uint8Array(this.memory.buffer, to, piece.length).set(piece);
      at += piece.length;
      total += piece.length;
      if (piece.length < room) break;
    }
    if (from === null) file.at = at;
    view.setUint32(out, total, true);
    return OK;
  }

  private fileStat(fd: number, out: number): number {
    const file = this.open.get(fd);
    if (!file) return BADF;
    const view = this.view();
    for (let i = 0; i < 64; i += 8) view.setBigUint64(out + i, 0n, true);
    view.setUint8(out + 16, file.bytes ? KIND_FILE : KIND_FOLDER);
    view.setBigUint64(out + 24, 1n, true);
    view.setBigUint64(out + 32, BigInt(file.bytes?.length ?? 0), true);
    return OK;
  }

  private openPath(folder: number, path: string, flags: number, out: number): number {
    const base = this.open.get(folder);
    if (!base) return BADF;
    const full = (base.path === '' ? path : base.path + '/' + path)
      .replace(/^\.?\/*/, '')
      .replace(/\/+$/, '')
      .replace(/^\.$/, '');
    const bytes = this.files.get(full) ?? null;
    if (flags & 1) return bytes ? EXIST : NOSYS; // creating
    if (!bytes && !this.isFolder(full)) return NOENT;
    if (bytes && flags & 2) return NOTDIR;
    let fd = ROOT + 1;
    while (this.open.has(fd)) fd++;
    this.open.set(fd, { bytes, path: full, at: 0 });
    this.view().setUint32(out, fd, true);
    return OK;
  }

  private readFolder(
    fd: number,
    buffer: number,
    size: number,
    cookie: bigint,
    out: number,
  ): number {
    const folder = this.open.get(fd);
    if (!folder) return BADF;
    const entries = ['.', '..', ...this.names(folder.path)];
    let used = 0;
    for (let i = Number(cookie); i < entries.length && used < size; i++) {
      const name = new TextEncoder().encode(entries[i]),
        entry = new Uint8Array(24 + name.length),
        view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setBigUint64(8, BigInt(i + 1), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, i < 2 ? KIND_FOLDER : KIND_FILE);
      entry.set(name, 24);
      const piece = entry.subarray(0, size - used);
      new Uint8Array(this.memory.buffer, buffer + used, piece.length).set(piece);
      used += piece.length;
    }
    this.view().setUint32(out, used, true);
    return OK;
  }

  private write(fd: number, iovs: number, n: number, out: number): number {
    if (fd !== 1 && fd !== 2) return BADF;
    const view = this.view();
    let total = 0;
    for (let i = 0; i < n; i++) {
      const size = view.getUint32(iovs + 8 * i + 4, true);
      this.errorText = (this.errorText + this.text(view.getUint32(iovs + 8 * i, true), size)).slice(
        -2000,
      );
      total += size;
    }
    view.setUint32(out, total, true);
    return OK;
  }

  /** The imports of "wasi_snapshot_preview1". */
  imports(): Record<string, (...args: never[]) => unknown> {
    const u64 = (at: number, value: bigint) => this.view().setBigUint64(at, value, true);
    return {
      environ_get: () => OK,
      poll_oneoff: () => NOSYS, // sleeping: for threads that wait for others, and here is one
      environ_sizes_get: (n: number, size: number) => {
        this.view().setUint32(n, 0, true);
        this.view().setUint32(size, 0, true);
        return OK;
      },
      clock_time_get: (id: number, _precision: bigint, out: number) => {
        u64(out, BigInt(Math.round((id === 0 ? Date.now() : performance.now()) * 1e6)));
        return OK;
      },
      fd_close: (fd: number) => (this.open.delete(fd) ? OK : BADF),
      fd_fdstat_get: (fd: number, out: number) => {
        const file = this.open.get(fd);
        if (!file && fd > 2) return BADF;
        this.view().setUint8(out, file ? (file.bytes ? KIND_FILE : KIND_FOLDER) : 2);
        this.view().setUint16(out + 2, 0, true);
        u64(out + 8, 0xffffffffffffffffn);
        u64(out + 16, 0xffffffffffffffffn);
        return OK;
      },
      fd_fdstat_set_flags: () => OK,
      fd_filestat_get: (fd: number, out: number) => this.fileStat(fd, out),
      fd_pread: (fd: number, iovs: number, n: number, from: bigint, out: number) =>
        this.read(fd, iovs, n, out, Number(from)),
      fd_prestat_get: (fd: number, out: number) => {
        if (fd !== ROOT) return BADF;
        this.view().setUint32(out, 0, true);
        this.view().setUint32(out + 4, 1, true);
        return OK;
      },
      fd_prestat_dir_name: (_fd: number, at: number) => {
        this.view().setUint8(at, 0x2f);
        return OK;
      },
      fd_read: (fd: number, iovs: number, n: number, out: number) =>
        this.read(fd, iovs, n, out, null),
      fd_readdir: (fd: number, at: number, size: number, cookie: bigint, out: number) =>
        this.readFolder(fd, at, size, cookie, out),
      fd_seek: (fd: number, offset: bigint, whence: number, out: number) => {
        const file = this.open.get(fd);
        if (!file?.bytes) return BADF;
        file.at = Number(offset) + (whence === 0 ? 0 : whence === 1 ? file.at : file.bytes.length);
        u64(out, BigInt(file.at));
        return OK;
      },
      fd_write: (fd: number, iovs: number, n: number, out: number) => this.write(fd, iovs, n, out),
      path_open: (
        folder: number,
        _look: number,
        at: number,
        length: number,
        flags: number,
        _r: bigint,
        _i: bigint,
        _f: number,
        out: number,
      ) => this.openPath(folder, this.text(at, length), flags, out),
      path_filestat_get: (
        folder: number,
        _flags: number,
        at: number,
        length: number,
        out: number,
      ) => {
        const failed = this.openPath(folder, this.text(at, length), 0, out);
        if (failed) return failed;
        const fd = this.view().getUint32(out, true),
          result = this.fileStat(fd, out);
        this.open.delete(fd);
        return result;
      },
      path_remove_directory: () => NOSYS,
      path_unlink_file: () => NOSYS,
      proc_exit: (code: number) => {
        throw new Error(`the engine ended (${code}): ${this.errorText}`);
      },
      random_get: (at: number, size: number) => {
        for (let i = 0; i < size; i += 65536)
          crypto.getRandomValues(
            new Uint8Array(this.memory.buffer, at + i, Math.min(65536, size - i)),
          );
        return OK;
      },
    } as Record<string, (...args: never[]) => unknown>;
  }
}
