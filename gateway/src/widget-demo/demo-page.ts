// /widget-demo: a page that shows one widget as a website would, with the tag to copy and the events of the element. It is
// served only where the program that starts the gateway names a widget, as `npm start` does.
import type { Request, RequestHandler, Response } from 'express';
import { setPageHeaders } from '../http/security-headers.js';
import { demoScript } from './demo-script.js';
import { demoStyle } from './demo-style.js';

export interface DemoWidget {
  readonly id: string;
  /** Browsers can join the media server. */
  readonly hasVoice: boolean;
}

export interface DemoOptions {
  /** Scheme, host and port of the gateway. */
  readonly publicUrl: string;
  /** The media server as browsers reach it, `ws:` or `wss:`. */
  readonly mediaServerUrl: string;
  /** Undefined while there is no widget to show. */
  readonly widget: () => DemoWidget | undefined;
}

/** The client of the media server asks it over HTTP why a connection failed. */
const mediaSourcesOf = (mediaServerUrl: string): string => {
  const { protocol, host } = new URL(mediaServerUrl);
  return ` ${protocol}//${host} ${protocol.replace('ws', 'http')}//${host}`;
};

/** The policy that docs/widget.md asks of a website, for a page of the platform itself. */
const policyOf = (mediaSources: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https:",
    `connect-src 'self'${mediaSources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const snippetOf = (publicUrl: string, widgetId: string): string =>
  `<script async src="${publicUrl}/widget.js"></script>\n<voice-agent-widget widget-id="${widgetId}"></voice-agent-widget>`;

const promises = {
  voice:
    'The agent of this page answers where the button is, at the edge of the window. The page asks for the microphone when you choose to talk, and not before.',
  text: 'The agent of this page answers in writing where the button is, at the edge of the window.',
} as const;

const htmlOf = (publicUrl: string, { id: widgetId, hasVoice }: DemoWidget): string => `<!doctype html>
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
<p>${hasVoice ? promises.voice : promises.text}</p>
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
export const demoPage = ({ publicUrl, mediaServerUrl, widget: widgetOf }: DemoOptions): RequestHandler => {
  const mediaSources = mediaSourcesOf(mediaServerUrl);
  const answers = new Map<string, (widget: DemoWidget) => readonly [type: string, body: string]>([
    ['/', (widget) => ['text/html', htmlOf(publicUrl, widget)]],
    ['/demo.js', () => ['text/javascript', demoScript]],
    ['/demo.css', () => ['text/css', demoStyle]],
  ]);
  return (request: Request, response, next) => {
    const widget = widgetOf();
    const answer = answers.get(request.path);
    if (widget === undefined || answer === undefined || !['GET', 'HEAD'].includes(request.method))
      return next();
    response.locals.route = 'widget-demo';
    setPageHeaders(response);
    response.setHeader('Content-Security-Policy', policyOf(widget.hasVoice ? mediaSources : ''));
    // No other page may show this one in a frame and ask for a microphone with it.
    response.setHeader('Permissions-Policy', widget.hasVoice ? 'microphone=(self)' : 'microphone=()');
    return send(response, ...answer(widget));
  };
};
