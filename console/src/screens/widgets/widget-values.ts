// A widget as the form shows it, as it travels, and as the element is told of it. Everything here is pure.
import type { DataOf } from '../../data/types.js';

export type Widget = DataOf<'widgets.get'>;
/** The request of the element. */
export type PublicConfig = DataOf<'widgets.publicConfig'>;
export type Offers = 'voice' | 'text' | 'both';

export const offersOf = (modes: Widget['modes']): Offers =>
  modes.length > 1 ? 'both' : (modes[0] ?? 'voice');

export const modesOf = (offers: Offers): Widget['modes'] =>
  offers === 'both' ? ['voice', 'text'] : [offers];

export type WidgetValues = Pick<
  Widget,
  | 'name'
  | 'enabled'
  | 'theme'
  | 'allowedOrigins'
  | 'consent'
  | 'limits'
  | 'queue'
  | 'allowedVariables'
  | 'requireVisitorToken'
  | 'visitorTokenSecretId'
> & { readonly offers: Offers; readonly signedVariables: readonly string[] };

export const valuesOf = (widget: Widget): WidgetValues => {
  const { name, enabled, theme, allowedOrigins, consent, limits, queue } = widget;
  const { allowedVariables, signedVariables = [], requireVisitorToken, visitorTokenSecretId } = widget;
  return {
    ...{ name, enabled, theme, allowedOrigins, consent, limits, queue },
    allowedVariables,
    signedVariables,
    requireVisitorToken,
    visitorTokenSecretId,
    offers: offersOf(widget.modes),
  };
};

export const bodyOf = ({ offers, signedVariables, ...rest }: WidgetValues) => ({
  ...rest,
  signedVariables: [...signedVariables],
  modes: modesOf(offers),
});

const color = /^#[0-9a-f]{6}$/i;
const wholeColor = (typed: string, saved: string): string => (color.test(typed) ? typed : saved);

/** The answer that the element would get, were the form saved now. Half-typed colors and sizes stay as they were saved. */
export const configOf = (values: WidgetValues, saved: Widget, agentName: string): PublicConfig => {
  const { theme, consent, queue, offers, limits } = values;
  const radius = typeof theme.borderRadius === 'number' ? theme.borderRadius : saved.theme.borderRadius;
  return {
    id: saved.id,
    theme: {
      ...theme,
      primaryColor: wholeColor(theme.primaryColor, saved.theme.primaryColor),
      backgroundColor: wholeColor(theme.backgroundColor, saved.theme.backgroundColor),
      textColor: wholeColor(theme.textColor, saved.theme.textColor),
      borderRadius: Math.min(Math.max(radius, 0), 64),
      // A picture of strangers is not loaded by this page.
      avatarUrl: null,
    },
    consent,
    modes: modesOf(offers),
    agentName,
    language: 'und',
    queue: { enabled: queue.enabled, text: queue.text },
    enabled: true,
    maxSessionSeconds: limits.maxSessionSeconds,
  };
};
