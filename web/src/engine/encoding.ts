// SPDX-License-Identifier: Apache-2.0
// encoding.ts - in which encoding a text is: the engine reads UTF-8, other tables are turned into
// it.

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export const encodings: Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'];
const PIECE = 1 << 20;

/**
 * By the mark at the beginning; else UTF-8 if all bytes are, else the code page of western Windows.
 */
export function findEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PIECE)
      decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    decoder.decode();
  } catch {
    return 'windows-1252';
  }
  return 'utf-8';
}

/** The text in UTF-8, piece by piece: no string as long as the table is made. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  const decoder = new TextDecoder(encoding),
    encoder = new TextEncoder(),
    pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(
      encoder.encode(
        decoder.decode(bytes.subarray(at, at + PIECE), { stream: at + PIECE < bytes.length }),
      ),
    );
  const whole = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
