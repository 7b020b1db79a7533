// The wish of a visitor, held against the rules of the widget.
import type { CallContext, WidgetMode, WidgetSessionInput } from '@parlance/contracts';
import { AppError, type Issue, validationError } from '@parlance/errors';
import { type InstalledModes, offeredModes, type WidgetRow } from '../widgets/widget-record.js';
import type { NamedVisitor } from './visitor-token.js';

const preference: readonly WidgetMode[] = ['voice', 'text'];

/** The mode of the session: without a wish voice, where it is offered. @throws AppError MODE_NOT_OFFERED */
export const modeOf = (
  widget: WidgetRow,
  installation: InstalledModes,
  { mode: wish }: WidgetSessionInput,
): WidgetMode => {
  const offered = offeredModes(widget, installation);
  const mode = (wish === undefined ? preference : [wish]).find((one) => offered.includes(one));
  if (mode === undefined) throw new AppError('MODE_NOT_OFFERED');
  return mode;
};

/**
 * Null without consent, where the widget requires none. @throws AppError CONSENT_REQUIRED, also for a text that has
 * changed since
 */
export const consentOf = (
  { document: { consent } }: WidgetRow,
  { consent: given }: WidgetSessionInput,
  now: Date,
): CallContext['consent'] => {
  if (given === undefined && !consent.required) return null;
  if (given?.version !== consent.version)
    throw new AppError('CONSENT_REQUIRED', { details: { version: consent.version } });
  return { type: 'widget', granted: true, at: now.toISOString(), textVersion: given.version };
};

const notAllowed = (from: string, names: readonly string[]): Issue[] =>
  names.map((name) => ({
    path: `body.${from}.${name}`,
    code: 'not_allowed',
    message: 'is not a variable that the widget allows',
  }));

/**
 * The variables of the page and of the site's token. What the widget expects signed, a page cannot set, whatever else it lists.
 * @throws AppError VALIDATION_ERROR
 */
export const variablesOf = (
  { document: { allowedVariables, signedVariables } }: Pick<WidgetRow, 'document'>,
  { dynamicVariables = {} }: WidgetSessionInput,
  visitor: NamedVisitor | undefined,
): Record<string, string> => {
  const isSigned = (name: string): boolean => signedVariables.includes(name);
  const isAllowed = (name: string): boolean => allowedVariables.includes(name);
  const issues = [
    ...notAllowed(
      'dynamicVariables',
      Object.keys(dynamicVariables).filter((name) => !isAllowed(name) || isSigned(name)),
    ),
    ...notAllowed(
      'visitorToken',
      Object.keys(visitor?.variables ?? {}).filter((name) => !isAllowed(name) && !isSigned(name)),
    ),
  ];
  if (issues.length > 0) throw validationError(issues);
  return { ...dynamicVariables, ...visitor?.variables };
};

/** The page without query and fragment, because sites put credentials there. */
const plainPage = (pageUrl: string): string => {
  const { origin, pathname } = new URL(pageUrl);
  return `${origin}${pathname}`;
};

/** The part of the visitor that the call log shows. */
export const metadataOf = (
  { pageUrl, visitorId }: WidgetSessionInput,
  visitor: NamedVisitor | undefined,
): CallContext['metadata'] => ({
  ...(pageUrl === undefined ? {} : { pageUrl: plainPage(pageUrl) }),
  ...(visitorId === undefined ? {} : { visitorId }),
  ...(visitor === undefined ? {} : { visitor: visitor.subject }),
});
