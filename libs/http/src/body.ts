// Reads request bodies: only when an operation takes one, only JSON, never more than its limit.
import { AppError } from '@parlance/errors';
import express, { type Request, type Response } from 'express';
import { parseJson } from './json-guard.js';

/** Bytes, where an operation does not say. */
export const defaultBodyLimit = 256 * 1_024;

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const isJson = (contentType: string | undefined): boolean => {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  return (
    type.trim() === 'application/json' &&
    parameters.every((parameter) => {
      const [name = '', value = ''] = parameter.split('=');
      return name.trim() !== 'charset' || value.trim().replaceAll('"', '') === 'utf-8';
    })
  );
};

/** Reads a raw body of at most so many bytes; undefined when there is none. */
export type BodyReader = (request: Request, response: Response) => Promise<Buffer | undefined>;

/** @throws (by the reader) an error that maps to PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE (compressed) or VALIDATION_ERROR */
export const bodyReader = (limit: number): BodyReader => {
  const read = express.raw({ type: () => true, limit, inflate: false });
  return (request, response) =>
    new Promise((resolve, reject) => {
      read(request, response, (error?: unknown) => {
        if (error !== undefined) reject(error);
        else resolve(Buffer.isBuffer(request.body) ? request.body : undefined);
      });
    });
};

/**
 * The JSON value in a body, undefined when there is none.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, and the errors of the reader and of parseJson
 */
export const readJson = async (read: BodyReader, request: Request, response: Response): Promise<unknown> => {
  if (!hasBody(request)) return undefined;
  if (!isJson(request.headers['content-type'])) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  const bytes = await read(request, response);
  return bytes === undefined || bytes.length === 0 ? undefined : parseJson(bytes);
};
