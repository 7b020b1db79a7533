// The sources of the bench: a site of two halves, and a PDF. Their words are made up, and always the same.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pdf, pdfPage } from '@parlance/fixtures/documents';

const stems =
  'ba be bi bo bu da de di do du fa fe fi fo fu ka ke ki ko ku la le li lo lu ma me mi mo mu'.split(' ');

/** A generator of numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
const numbersOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const sentenceOf = (next: () => number, words: number): string => {
  const stem = (): string => stems[Math.floor(next() * stems.length)] ?? '';
  const text = Array.from({ length: words }, () => stem() + stem() + (next() < 0.5 ? stem() : '')).join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

const paragraph = (next: () => number): string =>
  Array.from({ length: 6 }, () => sentenceOf(next, 12)).join(' ');

const menu = Array.from({ length: 40 }, (_, at) => `<li><a href="/menu/${at}.css">Menu ${at}</a></li>`).join(
  '',
);

/** Some 600 words in ten paragraphs, with a menu and a footer around them. */
const htmlPage = (seed: number, links: readonly string[]): string => {
  const next = numbersOf(seed);
  const title = sentenceOf(next, 4);
  const parts = Array.from({ length: 5 }, () => {
    return `<h2>${sentenceOf(next, 3)}</h2><p>${paragraph(next)}</p><p>${paragraph(next)}</p>`;
  });
  return `<!doctype html><html lang="en"><head><title>${title}</title><style>p { margin: 1em }</style></head>
    <body><nav><ul>${menu}</ul></nav><main><article><h1>${title}</h1>${parts.join('\n')}</article></main>
    <footer>${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</footer></body></html>`;
};

export interface LocalSite {
  /** The address of a page that leads to all pages of the half, through links. */
  readonly linked: string;
  /** The address of the sitemap of the other half. */
  readonly mapped: string;
  stop(): Promise<void>;
}

/** @param pages in each half */
export const startSite = async (pages: number): Promise<LocalSite> => {
  const server: Server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const numbers = Array.from({ length: pages }, (_, at) => at);
  const places = numbers.map((at) => `<url><loc>${url}/mapped/${at}</loc></url>`).join('\n');
  server.on('request', ({ url: path = '' }, response) => {
    const [, half, at] = /^\/(linked|mapped)\/(\d+)$/.exec(path) ?? [];
    if (path === '/sitemap.xml') response.end(`<?xml version="1.0"?><urlset>${places}</urlset>`);
    else if (half === undefined) response.writeHead(404).end();
    else {
      const first = Number(at) * 10 + 1;
      const links = numbers.slice(first, first + 10).map((to) => `/linked/${to}`);
      const seed = Number(at) * 2 + (half === 'linked' ? 0 : 1);
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(htmlPage(seed, half === 'linked' ? links : []));
    }
  });
  return {
    linked: `${url}/linked/0`,
    mapped: `${url}/sitemap.xml`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** Pages of 40 lines with ten words each. */
export const largePdf = (pages: number): Buffer => {
  const next = numbersOf(7);
  const page = () =>
    pdfPage(
      sentenceOf(next, 3),
      Array.from({ length: 40 }, () => sentenceOf(next, 10)),
    );
  return pdf({ pages: Array.from({ length: pages }, page) });
};
