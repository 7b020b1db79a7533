import { useEffect, useState } from 'react';

const tokenOf = (): string => decodeURIComponent(location.hash.slice(1));

/** The token of a link in a mail. It stands behind the #, which browsers send to no server. Empty where there is none. */
export const useLinkToken = (): string => {
  const [token, setToken] = useState(tokenOf);
  useEffect(() => {
    // A link that is opened in the tab of this page loads nothing anew.
    const follow = (): void => setToken(tokenOf());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
};
