// `GET /v1/models`, and the check that a model exists.
import type { Context } from './context.js';
import { OpenAiError } from './errors.js';

const missing = (model: string): OpenAiError =>
  new OpenAiError(
    404,
    'invalid_request_error',
    `The model \`${model}\` does not exist or you do not have access to it.`,
    'model_not_found',
  );

/** Every model exists unless the stand-in was started with a list. @throws OpenAiError */
export const checkModel = ({ models }: Context, model: string): void => {
  if (models !== undefined && !models.includes(model)) throw missing(model);
};

export const listOf = ({ models = ['fake-model'] }: Context) => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_764_000_000, owned_by: 'fake' })),
});
