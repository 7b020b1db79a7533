// Headers that every answer carries. helmet computes them once, when this file loads; per request they are copied.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/** The headers that helmet would set, as name and value. */
const headersOf = (options: Readonly<HelmetOptions>): readonly (readonly [string, string])[] => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
};

const common = {
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
  frameguard: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
} as const satisfies HelmetOptions;

const setAll = (response: Response, headers: readonly (readonly [string, string])[]): void => {
  for (const [name, value] of headers) response.setHeader(name, value);
};

const forData = [
  ...headersOf({
    ...common,
    // These speak to documents and plug-ins only.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  }),
  ['Cache-Control', 'no-store'],
] as const;

/** For JSON: nothing in it may ever be run, shown in a frame or kept by a cache. */
export const setDataHeaders = (response: Response): void => setAll(response, forData);

const forPages = headersOf({
  ...common,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** For our own pages: scripts and images of ours only. Inline styles, because the API browser brings some. */
export const setPageHeaders = (response: Response): void => setAll(response, forPages);

export const pageHeaders: RequestHandler = (_request, response, next) => {
  setPageHeaders(response);
  next();
};

/**
 * For the console: scripts, styles and fonts of ours only, none of them inline.
 * @param connectOrigins origins beside our own that it may ask
 */
export const setConsoleHeaders = (connectOrigins: readonly string[]): ((response: Response) => void) => {
  const headers = [
    ...headersOf({
      ...common,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          fontSrc: ["'self'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          mediaSrc: ["'self'", 'blob:', ...connectOrigins],
          connectSrc: ["'self'", ...connectOrigins],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
    }),
    // To try an agent; nothing else of the machine.
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(self)'],
  ] as const;
  return (response) => setAll(response, headers);
};
