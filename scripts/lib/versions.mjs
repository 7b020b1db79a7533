// The places that name the version of this release, besides package.json of the root, which decides.

/** Files with the version in a text; the first group of the pattern stays. */
export const texts = [
  { file: 'deploy/helm/parlance/Chart.yaml', pattern: /^(version: |appVersion: "?)\d+\.\d+\.\d+/gm },
  { file: 'docker-compose.yml', pattern: /(\bparlance:|SERVICE_VERSION:-)\d+\.\d+\.\d+/g },
  { file: 'tools/compose/src/other-variables.ts', pattern: /(\bparlance:)\d+\.\d+\.\d+/g },
  {
    file: 'libs/config/src/fragments.ts',
    pattern: /(SERVICE_VERSION: z.string\(\).max\(64\).default\(')\d+\.\d+\.\d+/g,
  },
  { file: 'docs/kubernetes.md', pattern: /(\bparlance:|newTag: )\d+\.\d+\.\d+/g },
];

/** The text with the version in all its places. */
export const withVersion = (text, { pattern }, version) => text.replace(pattern, `$1${version}`);

const dependencies = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** The manifest with the version, also in what it needs of the other workspaces. */
export const manifestWithVersion = (manifest, version) => {
  const next = { ...manifest, version };
  for (const kind of dependencies)
    if (manifest[kind] !== undefined)
      next[kind] = Object.fromEntries(
        Object.entries(manifest[kind]).map(([name, wanted]) => [
          name,
          name.startsWith('@parlance/') && /^\d/.test(wanted) ? version : wanted,
        ]),
      );
  return next;
};

/** @returns the files that differ when every place gets the version, with their new texts */
export const filesWithVersion = (read, manifests, version) => {
  const found = [
    ...manifests.map((file) => ({
      file,
      before: read(file),
      after: `${JSON.stringify(manifestWithVersion(JSON.parse(read(file)), version), null, 2)}\n`,
    })),
    ...texts.map((place) => {
      const before = read(place.file);
      if (before.search(place.pattern) < 0) throw new Error(`${place.file} names no version any more`);
      return { file: place.file, before, after: withVersion(before, place, version) };
    }),
  ];
  return found.filter(({ before, after }) => before !== after);
};
