// Why a file cannot be used, for the person whose file it is.
import type { FileRefusalCode } from '../../domain/campaign/campaign-events.js';

export interface FileRefusal {
  readonly code: FileRefusalCode;
  /** How to fix the file, as a public sentence. */
  readonly message: string;
}

/** The file cannot be used. Thrown inside the reader, an answer for all other code. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  constructor(readonly refusal: FileRefusal) {
    super(refusal.message);
  }
}

export const refuse = (code: FileRefusalCode, message: string): FileRefused =>
  new FileRefused({ code, message });
