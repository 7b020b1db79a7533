// Downloads one file over HTTPS, and resumes what an interruption left.
import { createWriteStream, existsSync, statSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { Agent, get as getSecure } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const idleMs = 30_000;
const maxRedirects = 5;

const request = (url, headers, env) =>
  new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    // `proxyEnv` is known from Node 24 on; an older Node connects directly.
    const agent = isSecure ? new Agent({ proxyEnv: env }) : undefined;
    const sent = (isSecure ? getSecure : getPlain)(url, { headers, agent, timeout: idleMs }, resolve);
    sent.once('timeout', () => sent.destroy(new Error(`${url.host} does not answer`)));
    sent.once('error', reject);
  });

const follow = async (url, headers, env, redirects = 0) => {
  const response = await request(url, headers, env);
  const { statusCode = 0, headers: received } = response;
  if (statusCode < 300 || statusCode >= 400 || received.location === undefined) return response;
  response.resume();
  if (redirects === maxRedirects) throw new Error(`${url.host} redirects too often`);
  const next = new URL(received.location, url);
  if (url.protocol === 'https:' && next.protocol !== 'https:')
    throw new Error(`${url.host} redirects to plain HTTP`);
  return follow(next, headers, env, redirects + 1);
};

/**
 * Writes the file, beginning where an earlier download stopped.
 * @param bytes expected size; a longer response is cut off
 * @param progress called with the bytes that are there
 */
export const download = async (address, file, { bytes, env, progress }) => {
  const present = existsSync(file) ? statSync(file).size : 0;
  if (present === bytes) return;
  const isResumable = present > 0 && present < bytes;
  const response = await follow(new URL(address), isResumable ? { range: `bytes=${present}-` } : {}, env);
  const isResumed = isResumable && response.statusCode === 206;
  if (!isResumed && response.statusCode !== 200) {
    response.destroy();
    throw new Error(`${new URL(address).host} answered ${response.statusCode}`);
  }
  let total = isResumed ? present : 0;
  const counted = new Transform({
    transform(chunk, _, done) {
      total += chunk.length;
      progress(total);
      done(total > bytes ? new Error(`${new URL(address).host} sent more than ${bytes} bytes`) : null, chunk);
    },
  });
  await pipeline(response, counted, createWriteStream(file, { flags: isResumed ? 'a' : 'w' }));
};
