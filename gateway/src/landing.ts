// The page at /: what this is and where to go from here.
import type { RequestHandler } from 'express';

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parlance</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1.5rem; color: #1c1e21; }
h1 { margin-bottom: 0; }
code { background: #f0f1f3; padding: .1em .35em; border-radius: 4px; }
pre { background: #f0f1f3; padding: 1rem; border-radius: 8px; overflow-x: auto; }
pre code { padding: 0; }
a { color: #0b57d0; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e8eaed; }
  code, pre { background: #24272c; }
  a { color: #8ab4f8; }
}
</style>
</head>
<body>
<h1>Parlance</h1>
<p>A self-hosted platform for voice agents. It is running.</p>
<ul>
<li><a href="/api/v1/docs/">API documentation</a>, to read and to try (<a href="/api/v1/docs.json">OpenAPI</a>)</li>
<li><a href="/api/v1/health">Health</a> and <a href="/api/v1/ready">readiness</a></li>
</ul>
<p>The first start printed an e-mail address, a password and an API key. With the key:</p>
<pre><code>curl -H "x-api-key: $PARLANCE_API_KEY" <span>/api/v1/agents</span></code></pre>
<p>The README goes on from here: make an agent, call someone, read what was said.
<code>npm run tour</code> does all of it at once.</p>
</body>
</html>
`;

export const landingPage: RequestHandler = (_request, response) => {
  response.locals.route = 'landing';
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(html);
};
