// The failures that will pass by themselves. They are waited out; only the others are held against an event.
import { AppError, errorCodes } from '@parlance/errors';
import { CheckpointMoved } from './checkpoints.js';

/** True when trying the same thing later can succeed: a dependency is away, or another writer was faster. */
export const isTransient = (error: unknown): boolean =>
  error instanceof CheckpointMoved ||
  (error instanceof AppError && errorCodes[error.code].retryable === true);
