// A website of a customer: pages with a strict Content-Security-Policy on an origin of their own, and the policy's
// reports of violations.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One thing that a policy stopped. */
export interface Violation {
  /** Of the policy, such as `script-src-elem`. */
  readonly directive: string;
  /** Address, or a word such as `inline` and `eval`. */
  readonly blocked: string;
}

export interface SitePage {
  /** Inside of `<body>`. */
  readonly body: string;
  /** Inside of `<head>`. */
  readonly head?: string;
  /** Sources by directive; all others are `'none'`. Absent: the page has no policy. */
  readonly policy?: Readonly<Record<string, string>>;
  readonly language?: string;
  readonly direction?: 'ltr' | 'rtl';
}

export interface Site {
  /** `http://localhost:<port>`: browsers count it as secure, and the platform's 127.0.0.1 as another site. */
  readonly origin: string;
  /** Serves a page at this path, and returns its address. */
  show(path: string, page: SitePage): string;
  /** Serves a script of the site at this path, and returns its address. */
  script(path: string, code: string): string;
  /** All that policies have stopped so far, on every page. */
  violations(): readonly Violation[];
  stop(): Promise<void>;
}

const reports = '/policy-reports';

const htmlOf = ({ body, head = '', language = 'en', direction = 'ltr' }: SitePage): string => `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A shop</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;

const policyOf = (sources: Readonly<Record<string, string>>): string =>
  [
    "default-src 'none'",
    ...Object.entries(sources).map(([directive, list]) => `${directive} ${list}`),
    `report-uri ${reports}`,
  ].join('; ');

interface Report {
  readonly 'csp-report': { readonly 'effective-directive': string; readonly 'blocked-uri': string };
}

const violationIn = async (request: IncomingMessage): Promise<Violation> => {
  const { 'csp-report': report } = JSON.parse(await text(request)) as Report; // the browser's own words
  return { directive: report['effective-directive'], blocked: report['blocked-uri'] };
};

export const startSite = async (): Promise<Site> => {
  const pages = new Map<string, SitePage>();
  const scripts = new Map<string, string>();
  const violations: Violation[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === reports) {
      violations.push(await violationIn(request));
      response.writeHead(204).end();
      return;
    }
    const code = scripts.get(pathname);
    if (code !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(code);
      return;
    }
    const page = pages.get(pathname);
    const policy = page?.policy && { 'content-security-policy': policyOf(page.policy) };
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...policy });
    response.end(page && htmlOf(page));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`; // an address, since it listens on a port
  return {
    origin,
    show: (path, page) => {
      pages.set(path, page);
      return `${origin}${path}`;
    },
    script: (path, code) => {
      scripts.set(path, code);
      return `${origin}${path}`;
    },
    violations: () => violations,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
