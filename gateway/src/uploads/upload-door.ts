// PUT /uploads/{service}/{ticket}: takes an upload whose size the client did not say when it requested the address. The service counts
// the size that the upload's header names, and the bytes pass through to an address of the storage that is signed for so many.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { serviceRequests } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { platformCaller, type RpcClient } from '@parlance/rpc';
import type { Request, RequestHandler } from 'express';
import { envelope, sendJson } from '../http/answer.js';

const admissions = {
  knowledge: serviceRequests.knowledgeAdmitUpload,
  campaigns: serviceRequests.outboundCallsAdmitUpload,
} as const;

const isService = (name: unknown): name is keyof typeof admissions =>
  typeof name === 'string' && Object.hasOwn(admissions, name);

/** Of silence from the client or the storage. */
const idleMs = 30_000;

/** S3 refuses an upload without a length, too. */
const lengthOf = ({ headers }: Request): number => {
  const written = headers['content-length'] ?? '';
  if (/^\d{1,15}$/.test(written)) return Number(written);
  const message = 'an upload names its size in Content-Length';
  throw validationError([{ path: 'header.content-length', code: 'invalid_value', message }]);
};

/** Resolves with the storage's status. Node sends as many bytes as the header names, or breaks the connection off. */
const passOn = async (
  source: Request,
  url: string,
  headers: { readonly 'content-type': string; readonly 'content-length': number },
): Promise<number> => {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const outgoing = send(url, { method: 'PUT', headers, timeout: idleMs });
  outgoing.on('timeout', () => outgoing.destroy(new Error('the storage is silent')));
  try {
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    // A refusal may come before all bytes have gone, and then nobody takes the rest.
    answered.catch(() => undefined);
    const sent = pipeline(source, outgoing);
    sent.catch(() => undefined);
    const [answer] = await Promise.race([answered, sent.then(() => answered)]);
    answer.resume();
    return answer.statusCode ?? 502;
  } catch (cause) {
    outgoing.destroy();
    throw new AppError('STORAGE_UNAVAILABLE', { cause });
  }
};

export interface UploadDoorOptions {
  readonly rpc: RpcClient;
  /** Uploads are passed on to this storage and to nowhere else. Undefined where there is none. */
  readonly storageUrl: string | undefined;
}

const isAt = (url: string, storageUrl: string | undefined): boolean =>
  storageUrl !== undefined && new URL(url).origin === new URL(storageUrl).origin;

export const uploadDoor = ({ rpc, storageUrl }: UploadDoorOptions): RequestHandler => {
  // The ticket names the organization; the service finds it there.
  const caller = platformCaller('gateway', '');
  return async (request, response) => {
    response.locals.route = 'uploads';
    const { service, ticket = '' } = request.params;
    if (!isService(service) || typeof ticket !== 'string') throw new AppError('NOT_FOUND');
    const bytes = lengthOf(request);
    const contentType = request.headers['content-type'] ?? '';
    request.setTimeout(idleMs);
    const { data } = await rpc.call(
      admissions[service],
      { body: { ticket, contentType, bytes } },
      { caller, requestId: response.locals.requestId },
    );
    if (!isAt(data.url, storageUrl)) throw new AppError('STORAGE_UNAVAILABLE');
    const status = await passOn(request, data.url, { 'content-type': contentType, 'content-length': bytes });
    if (status !== 200) throw new AppError('STORAGE_UNAVAILABLE');
    sendJson(response, 200, envelope({ message: 'Uploaded' }));
  };
};
