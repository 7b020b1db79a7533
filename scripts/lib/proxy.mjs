// Checks the proxy that npm would download through. npm itself waits a quarter of an hour for one that does not answer.
import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';

const limitMs = 10_000;

/** Variables with the proxy for HTTPS, in order of precedence. npm passes settings of .npmrc as the first two. */
const variables = ['npm_config_https_proxy', 'npm_config_proxy', 'HTTPS_PROXY', 'https_proxy'];
const exceptions = ['npm_config_noproxy', 'NO_PROXY', 'no_proxy'];

const isException = (env, host) =>
  exceptions
    .flatMap((name) => (env[name] ?? '').split(','))
    .map((entry) => entry.trim().replace(/^\./, ''))
    .some((entry) => entry !== '' && `.${host}`.endsWith(`.${entry}`));

const registryOf = (env) =>
  new URL(
    env.npm_config_registry ||
      spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim(),
  );

/** Resolves with the reason why the proxy does not answer, or undefined for any answer. */
const reasonOf = ({ protocol, hostname, port }, registry, waitMs) =>
  new Promise((resolve) => {
    const socket = connect(
      Number(port || (protocol === 'https:' ? 443 : 80)),
      hostname.replace(/^\[|\]$/g, ''),
    );
    const end = (reason) => {
      clearTimeout(late);
      socket.destroy();
      resolve(reason);
    };
    const late = setTimeout(() => end('does not answer'), waitMs);
    socket.once('error', ({ code }) => end(`cannot be reached (${code})`));
    socket.once('close', () => end('closes the connection without an answer'));
    socket.once('data', () => end(undefined));
    socket.once('connect', () => {
      // A proxy behind TLS counts as answering once it accepts the connection.
      if (protocol === 'https:') end(undefined);
      else socket.write(`CONNECT ${registry} HTTP/1.1\r\nHost: ${registry}\r\n\r\n`);
    });
  });

/** What is wrong with the proxy in these variables, in one sentence, or undefined. An answer that refuses is left to npm. */
export const proxyProblem = async (env, waitMs = limitMs) => {
  const name = variables.find((variable) => env[variable]);
  if (name === undefined) return undefined;
  const registry = registryOf(env);
  if (registry.protocol !== 'https:' || isException(env, registry.hostname)) return undefined;
  const mend = 'correct it, or unset it';
  let url;
  try {
    url = new URL(env[name]);
  } catch {
    return `${name} is no address such as http://proxy.example.com:3128: ${mend}.`;
  }
  const reason = await reasonOf(url, `${registry.hostname}:${registry.port || 443}`, waitMs);
  return reason && `${name} names the proxy ${url.host}, which ${reason}: ${mend}.`;
};
