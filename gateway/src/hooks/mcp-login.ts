// GET /hooks/mcp/oauth: authorization servers of MCP servers send people back to this address. The person must be
// signed in here as the person who began the login. Otherwise an attacker could begin one and let another person's
// account be connected.
import {
  contract,
  McpLoginAnswer,
  type McpLoginOutcome,
  mcpClient,
  serviceRequests,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcClient } from '@parlance/rpc';
import type { Request, RequestHandler, Response } from 'express';
import type { Access, Authorize } from '../auth/access.js';
import { signInForm } from '../http/account-pages.js';
import { sendJson } from '../http/answer.js';
import { type PageContent, sendPage } from '../http/page.js';
import { assertAllowed, type RateLimits } from '../limits/rate-limits.js';

export interface McpLoginHookOptions {
  /** A person with the permission to begin a login may finish one. */
  readonly authorize: Authorize;
  readonly limits: Pick<RateLimits, 'count'>;
  readonly rpc: RpcClient;
}

const again = 'Begin again in Parlance.';

const pages: Readonly<Record<McpLoginOutcome, PageContent>> = {
  authorized: {
    title: 'The connection is authorized',
    body: '<p>Parlance can use the MCP server now. You can close this page.</p>',
  },
  declined: {
    status: 400,
    title: 'The connection is not authorized',
    body: `<p>The server was not allowed to let Parlance in. ${again}</p>`,
  },
  unknown: {
    status: 400,
    title: 'This login is not known',
    body: `<p>A login is good once, for ten minutes, and for the person who began it. ${again}</p>`,
  },
  other_issuer: {
    status: 400,
    title: 'The connection is not authorized',
    body: `<p>The answer comes from another server than the one that was asked. Nothing was stored. ${again}</p>`,
  },
  failed: {
    status: 400,
    title: 'The connection is not authorized',
    body: `<p>The authorization server gave Parlance no token. ${again}</p>`,
  },
};

const notAnswer: PageContent = {
  status: 400,
  title: 'This is not the answer of a login',
  body: `<p>The address lacks what an authorization server adds to it. ${again}</p>`,
};
const signInFirst: PageContent = {
  status: 401,
  title: 'Sign in to finish',
  body: `<p>Sign in to Parlance as the person who began this login.</p>\n${signInForm}`,
};
const notAllowed: PageContent = {
  status: 403,
  title: 'The connection is not authorized',
  body: '<p>You may not change connections of the organization that is active in your session.</p>',
};
const trouble: PageContent = {
  status: 503,
  title: 'Parlance cannot finish this login now',
  body: `<p>A part of Parlance did not answer. ${again}</p>`,
};

const pageOf = ({ code, status }: AppError): PageContent => {
  if (code === 'UNAUTHENTICATED') return signInFirst;
  return status >= 500 || status === 429 ? trouble : notAllowed;
};

/** The person behind the request. @throws AppError; an API key is refused, because it opens no pages */
const personOf = async ({ authorize, limits }: McpLoginHookOptions, request: Request): Promise<Access> => {
  if (request.headers['x-api-key'] !== undefined) throw new AppError('UNAUTHENTICATED');
  const access = await authorize(request);
  assertAllowed(await limits.count(contract.mcpAuthorize.bucket, access.subjects));
  return access;
};

const finish = async (
  options: McpLoginHookOptions,
  request: Request,
  response: Response,
): Promise<PageContent> => {
  const answer = McpLoginAnswer.safeParse(request.query);
  if (!answer.success) return notAnswer;
  try {
    const { caller } = await personOf(options, request);
    const context = { caller, requestId: response.locals.requestId };
    const { data } = await options.rpc.call(serviceRequests.mcpFinishLogin, { body: answer.data }, context);
    return pages[data.outcome];
  } catch (error) {
    if (error instanceof AppError) return pageOf(error);
    throw error;
  }
};

export const mcpLoginHook =
  (options: McpLoginHookOptions): RequestHandler =>
  async (request, response) => {
    response.locals.route = 'hooks.mcpLogin';
    sendPage(response, await finish(options, request, response));
  };

/** The document for authorization servers that know clients by their metadata. @throws AppError NOT_FOUND without https */
export const mcpClientDocument = (publicUrl: string): RequestHandler => {
  const { documentUrl, metadata } = mcpClient(publicUrl);
  const document = JSON.stringify({ client_id: documentUrl, ...metadata });
  return (_request, response) => {
    response.locals.route = 'hooks.mcpClient';
    if (documentUrl === null) throw new AppError('NOT_FOUND');
    sendJson(response, 200, document);
  };
};
