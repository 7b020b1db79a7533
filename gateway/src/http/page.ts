// Small pages for people who come from a mail.
import type { Response } from 'express';
import { setPageHeaders } from './security-headers.js';

export interface PageContent {
  readonly status?: 200 | 400 | 401 | 403 | 503;
  readonly title: string;
  /** HTML of ours; nothing in it comes from a request. */
  readonly body: string;
}

export class Page {
  readonly content: PageContent;

  constructor(content: PageContent) {
    this.content = content;
  }
}

export const sendPage = (response: Response, { status = 200, title, body }: PageContent): void => {
  response.statusCode = status;
  setPageHeaders(response);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1.5rem; color: #1c1e21; }
label, input, button { display: block; font: inherit; }
input { width: 100%; box-sizing: border-box; padding: .4rem; margin: .2rem 0 1rem; }
button { padding: .4rem 1.2rem; }
[hidden] { display: none; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e8eaed; } a { color: #8ab4f8; } }
</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`);
};
