// The addresses of pages, and the links of a page that a crawl follows.

/** The address that identifies a page: without its fragment, and without parameters that only follow visitors. */
export const pageAddress = (url: string): string => {
  const address = new URL(url);
  address.hash = '';
  for (const name of [...address.searchParams.keys()])
    if (/^(utm_|gclid$|fbclid$|mc_)/.test(name)) address.searchParams.delete(name);
  return address.href;
};

/** Endings of paths that a crawl skips. The type of any other file is found in its content. */
const noPage =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|mjs|json|xml|zip|gz|mp[34]|webm|woff2?|ttf|exe|dmg|rss|atom)$/i;

/** Links of a page that a crawl of its site follows. */
export const linksToFollow = (site: string, links: readonly string[]): string[] => {
  const { origin } = new URL(site);
  const followed = links
    .flatMap((link) => URL.parse(link) ?? [])
    .filter((link) => link.origin === origin && !noPage.test(link.pathname))
    .map(({ href }) => pageAddress(href));
  return [...new Set(followed)];
};
