// /widget-demo: a page that shows one widget as a website would, with the tag to copy and the events of the element. It is
// served only where the program that starts the gateway names a widget, as `npm start` does.
import type { Request, RequestHandler, Response } from 'express';
import { setPageHeaders } from '../http/security-headers.js';
import { demoScript } from './demo-script.js';
import { demoStyle } from './demo-style.js';

export interface DemoOptions {
  /** Scheme, host and port of the gateway. */
  readonly publicUrl: string;
  /** The media server as browsers reach it, `ws:` or `wss:`. */
  readonly mediaServerUrl: string;
  /** Id of the widget to show; undefined while there is none. */
  readonly widgetId: () => string | undefined;
}

/** The policy that docs/widget.md asks of a website, for a page of the platform itself. */
const policyOf = (mediaServerUrl: string): string => {
  const { protocol, host } = new URL(mediaServerUrl);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https:",
    // The client of the media server asks it over HTTP why a connection failed.
    `connect-src 'self' ${protocol}//${host} ${protocol.replace('ws', 'http')}//${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const snippetOf = (publicUrl: string, widgetId: string): string =>
  `<script async src="${publicUrl}/widget.js"></script>\n<voice-agent-widget widget-id="${widgetId}"></voice-agent-widget>`;

const htmlOf = (publicUrl: string, widgetId: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Widget demo</title>
<link rel="stylesheet" href="/widget-demo/demo.css">
<script defer src="/widget-demo/demo.js"></script>
<script async src="/widget.js"></script>
</head>
<body>
<main>
<h1>Widget demo</h1>
<p>The agent of this page answers where the button is, at the edge of the window. It asks for the microphone once you have
chosen to talk, and not before.</p>
<p id="modes" role="status">Asking what this installation can do …</p>
<h2>The tag of this widget</h2>
<p>A website that the widget's list of origins names carries these two lines.</p>
<pre tabindex="0" aria-label="Tag of this widget"><code>${escaped(snippetOf(publicUrl, widgetId))}</code></pre>
<h2>Events</h2>
<p>The element tells the page about a conversation. The newest event comes first.</p>
<ol id="events" aria-label="Events of the element" reversed></ol>
</main>
<voice-agent-widget widget-id="${escaped(widgetId)}"></voice-agent-widget>
</body>
</html>
`;

const send = (response: Response, type: string, body: string): void => {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.end(body);
};

/** To be mounted at /widget-demo. Falls through, to 404, while there is no widget to show. */
export const demoPage = ({ publicUrl, mediaServerUrl, widgetId }: DemoOptions): RequestHandler => {
  const policy = policyOf(mediaServerUrl);
  const answers = new Map<string, (id: string) => readonly [type: string, body: string]>([
    ['/', (id) => ['text/html', htmlOf(publicUrl, id)]],
    ['/demo.js', () => ['text/javascript', demoScript]],
    ['/demo.css', () => ['text/css', demoStyle]],
  ]);
  return (request: Request, response, next) => {
    const id = widgetId();
    const answer = answers.get(request.path);
    if (id === undefined || answer === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    response.locals.route = 'widget-demo';
    setPageHeaders(response);
    response.setHeader('Content-Security-Policy', policy);
    // The page asks for a microphone, and no other page may show it in a frame.
    response.setHeader('Permissions-Policy', 'microphone=(self)');
    return send(response, ...answer(id));
  };
};
