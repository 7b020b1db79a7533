// The images of others that this repository names, in Dockerfiles, Compose files, manifests and values of charts.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Built by this repository. */
const own = /^parlance(-[a-z]+)?$/;

const reference =
  /^(?<name>[^\s:@]+(?::\d+\/[^\s:@]+)?)(?::(?<tag>[^\s@]+))?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

/** `${EVENTSTORE_IMAGE:-name:tag}` is the image that it names by default. */
const defaultOf = (text) => /^\$\{[A-Z_]+:-([^}]+)\}$/.exec(text)?.[1] ?? text;

const inLine = (line) => {
  const split = /image:\s*\{\s*repository:\s*([^,\s]+),\s*tag:\s*([^\s}]+)\s*\}/.exec(line);
  if (split !== null) return `${split[1]}:${split[2]}`;
  const written = /^\s*(?:-\s*)?image:\s*['"]?([^\s'"#{]\S*?)['"]?\s*(?:#.*)?$/.exec(line)?.[1];
  const argument = /^ARG\s+[A-Z_]*IMAGE=(\S+)/.exec(line)?.[1];
  const from = /^FROM\s+(?:--platform=\S+\s+)?([^\s$]+)/.exec(line)?.[1];
  return written ?? argument ?? (from?.includes(':') ? from : undefined);
};

/** Every reference in a text, with its line. */
export const imagesIn = (text) =>
  text.split('\n').flatMap((line, index) => {
    const found = inLine(line);
    const parts = found === undefined ? null : reference.exec(defaultOf(found));
    if (parts === null || own.test(parts.groups.name)) return [];
    const { name, tag, digest } = parts.groups;
    return [{ name, tag, digest, line: index + 1 }];
  });

const floating = (tag) => tag === undefined || !/\d+\.\d+/.test(tag);

/**
 * @param files texts by path
 * @param isRelease true where a digest is demanded as well: a tag can be moved to another image
 */
export const imageProblems = (files, { isRelease = false } = {}) => {
  const found = Object.entries(files).flatMap(([path, text]) =>
    imagesIn(text).map((image) => ({ ...image, place: `${path}:${image.line}` })),
  );
  const first = new Map();
  return found.flatMap(({ name, tag, digest, place }) => {
    if (floating(tag)) return [`${place}: ${name} needs an exact version, such as ${name}:1.2.3`];
    const problems = [];
    const key = `${name}:${tag}`;
    const known = first.get(key) ?? { digest, place };
    first.set(key, known);
    if (known.digest !== digest)
      problems.push(
        `${place}: ${key} has another digest than at ${known.place}: write the same in both places`,
      );
    if (isRelease && digest === undefined)
      problems.push(
        `${place}: ${key} has no digest: merge Renovate's pull request "digests of images", or write ${key}@sha256:... with what ` +
          `\`docker buildx imagetools inspect ${key} --format '{{.Manifest.Digest}}'\` prints (CONTRIBUTING.md, Releasing)`,
      );
    return problems;
  });
};

const folders = ['deploy'];
const names = ['Dockerfile', 'docker-compose.yml'];

const under = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** The files of a checkout that may name images. */
export const imageFiles = (root) =>
  Object.fromEntries(
    [...names.map((name) => join(root, name)), ...folders.flatMap((folder) => under(join(root, folder)))].map(
      (path) => [relative(root, path), readFileSync(path, 'utf8')],
    ),
  );
