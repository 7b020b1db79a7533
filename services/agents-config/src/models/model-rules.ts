// The rules of a model beyond its shape: its address, its languages, and what it falls back to.
import { ModelInput, type VoiceCatalog } from '@parlance/contracts';
import type { UrlRules } from '@parlance/egress';
import { AppError, type Issue, validationError } from '@parlance/errors';
import type { ModelDocument } from './model-record.js';

export interface ModelSurroundings {
  /** With the models of the organization as they were before the change. */
  readonly catalog: VoiceCatalog;
  readonly urls: Pick<UrlRules, 'check'>;
}

const issueAt = (path: string, message: string): Issue => ({ path: `body.${path}`, code: 'custom', message });

/**
 * The address as it is stored: without a trailing dot or slash, and with a name of another script in its ASCII form.
 * @throws AppError URL_NOT_ALLOWED, VALIDATION_ERROR
 */
const checkedUrl = (text: string, urls: ModelSurroundings['urls']): string => {
  if (/[?#]/.test(text)) throw validationError([issueAt('baseUrl', 'must have no query and no fragment')]);
  try {
    return urls.check(text).href.replace(/\/+$/, '');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, { details: { ...Object(error.details), path: 'body.baseUrl' } });
  }
};

const languageIssues = ({ languages, voices }: ModelDocument, catalog: VoiceCatalog): Issue[] => {
  const codes = new Set(['*', ...catalog.languages.map(({ code }) => code)]);
  const unknown = (path: string, of: readonly string[]): Issue[] =>
    of.flatMap((code, index) =>
      codes.has(code)
        ? []
        : [issueAt(`${path}.${index}`, 'is no language of the voice catalog, and not "*"')],
    );
  return [
    ...unknown('languages', languages),
    ...voices.flatMap((voice, index) => unknown(`voices.${index}.languages`, voice.languages)),
  ];
};

const fallbackIssues = (id: string, { kind, fallbacks }: ModelDocument, catalog: VoiceCatalog): Issue[] => {
  const { [`${kind}Models` as const]: models } = catalog;
  return fallbacks.flatMap((fallback, index) => {
    const path = `fallbacks.${index}`;
    if (fallback === id) return [issueAt(path, 'is the model itself')];
    if (fallbacks.indexOf(fallback) < index) return [issueAt(path, 'is in the list already')];
    return models.some((model) => model.id === fallback)
      ? []
      : [issueAt(path, `is no ${kind} model of the voice catalog`)];
  });
};

/**
 * @returns the document as it is stored
 * @throws AppError VALIDATION_ERROR or URL_NOT_ALLOWED, naming the fields
 */
export const checkModel = (
  id: string,
  document: ModelDocument,
  { catalog, urls }: ModelSurroundings,
): ModelDocument => {
  // A change of one field can break a rule that depends on the kind.
  const shape = ModelInput.safeParse({ id, ...document });
  const issues: Issue[] = shape.success
    ? [...languageIssues(document, catalog), ...fallbackIssues(id, document, catalog)]
    : shape.error.issues.map(({ path, message }) => issueAt(path.map(String).join('.'), message));
  if (issues.length > 0) throw validationError(issues);
  return { ...document, baseUrl: checkedUrl(document.baseUrl, urls) };
};
