// The inputs of a conversation: the attributes of the element, and the page that it is on.
import type { Mode, SessionWish, WidgetConfig } from '../wire/shapes.js';

const longestPage = 2_048;

export const wishOf = (
  element: HTMLElement,
  mode: Mode,
  { consent }: WidgetConfig,
  variables: Readonly<Record<string, string>>,
): SessionWish => {
  const visitorToken = element.getAttribute('visitor-token');
  const visitorId = element.getAttribute('visitor-id');
  const { origin, pathname, protocol } = location;
  return {
    mode,
    ...(Object.keys(variables).length > 0 ? { dynamicVariables: variables } : {}),
    // A conversation begins after the visitor has agreed, wherever consent is required.
    ...(consent.required ? { consent: { accepted: true, version: consent.version } } : {}),
    // Query and fragment may hold secrets of the page.
    ...(protocol.startsWith('http') ? { pageUrl: `${origin}${pathname}`.slice(0, longestPage) } : {}),
    ...(visitorId ? { visitorId } : {}),
    ...(visitorToken ? { visitorToken } : {}),
  };
};
