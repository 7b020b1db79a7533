// The part of CHANGELOG.md that belongs to one version.

/** The text below the heading of the version, without the heading; undefined when there is none. @param version such as 0.2.0 */
export const sectionOf = (changelog, version) => {
  const lines = changelog.split('\n');
  const start = lines.findIndex(
    (line) =>
      line === `## ${version}` || line.startsWith(`## ${version} `) || line.startsWith(`## [${version}]`),
  );
  if (start < 0) return undefined;
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const text = lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join('\n')
    .trim();
  return text === '' ? undefined : text;
};

/**
 * What keeps a tag from being released, one sentence each.
 * @param versions the version of each file that has one, by its path
 */
export const releaseProblems = (tag, versions, changelog) => {
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag)) return [`${tag} is no tag of a release: use v1.2.3`];
  const version = tag.slice(1);
  const different = Object.entries(versions)
    .filter(([, found]) => found !== version)
    .map(([file, found]) => `${file} has version ${found}, the tag is ${tag}`);
  const missing =
    sectionOf(changelog, version) === undefined ? [`CHANGELOG.md has no section "## ${version}"`] : [];
  return [...different, ...missing];
};
