// Models and voices of an organization.
import { z } from 'zod';
import { callId } from '../values/call.js';
import {
  ModelForCall,
  ModelInput,
  ModelsForCallInput,
  ModelTest,
  ModelTestInput,
  ModelUpdate,
  modelName,
  OrganizationModel,
} from '../values/model.js';
import { cursor, limit } from '../values/text.js';
import { operation } from './operation.js';
import { hidden, ofCallWithInternalKey, org } from './parts.js';

const common = {
  section: 'Extensions',
  service: 'agents-config',
  extension: true,
  mcp: hidden('an extension of the interface, for people'),
} as const;
const params = z.strictObject({ modelName });

export const modelOperations = {
  modelsList: operation({
    ...common,
    id: 'models.list',
    method: 'GET',
    path: '/models',
    auth: org('tools:read'),
    bucket: 'read',
    summary: "List the organization's own models, newest first",
    description:
      "Models at servers of the organization's choice, which speak the OpenAI protocol. The voice catalog lists them beside those of the installation.",
    query: z.strictObject({ limit, cursor }),
    success: 200,
    paged: true,
    data: z.array(OrganizationModel),
    message: 'Models',
    errors: ['INVALID_CURSOR'],
  }),
  modelsCreate: operation({
    ...common,
    id: 'models.create',
    method: 'POST',
    path: '/models',
    auth: org('tools:create'),
    bucket: 'write',
    summary: 'Add a model',
    description:
      "Agents of the organization can choose it at once. Naming a secret for an origin that it is not allowed for requires the permission secrets:use. The key is sent to the origin of `baseUrl` and nowhere else. URLs that point into the platform's own network are rejected, and so is an id that the installation's catalog has.",
    body: ModelInput,
    success: 201,
    data: OrganizationModel,
    message: 'Model added',
    errors: [
      'NAME_TAKEN',
      'URL_NOT_ALLOWED',
      'SECRET_NOT_FOUND',
      'LIMIT_TOO_HIGH',
      'SECRET_ORIGIN_NOT_ALLOWED',
    ],
  }),
  modelsGet: operation({
    ...common,
    id: 'models.get',
    method: 'GET',
    path: '/models/custom/{modelName}',
    auth: org('tools:read'),
    bucket: 'read',
    summary: 'Get a model',
    description: 'The path is `/models/` and the id of the model.',
    params,
    success: 200,
    data: OrganizationModel,
    message: 'Model',
    errors: ['MODEL_NOT_FOUND'],
  }),
  modelsUpdate: operation({
    ...common,
    id: 'models.update',
    method: 'PATCH',
    path: '/models/custom/{modelName}',
    auth: org('tools:update'),
    bucket: 'write',
    summary: 'Update a model',
    description:
      'Fields that are absent stay unchanged. A new origin of `baseUrl` needs `secretId` again, because the key was given for the old one; naming a secret for an origin that it is not allowed for requires the permission secrets:use. A voice that an agent has cannot be removed.',
    params,
    body: ModelUpdate,
    success: 200,
    data: OrganizationModel,
    message: 'Model updated',
    errors: [
      'MODEL_NOT_FOUND',
      'MODEL_IN_USE',
      'URL_NOT_ALLOWED',
      'SECRET_NOT_FOUND',
      'SECRET_ORIGIN_NOT_ALLOWED',
    ],
  }),
  modelsDelete: operation({
    ...common,
    id: 'models.delete',
    method: 'DELETE',
    path: '/models/custom/{modelName}',
    auth: org('tools:delete'),
    bucket: 'write',
    summary: 'Delete an unused model',
    description:
      'Returns 409 `MODEL_IN_USE` with the agents that have it and the models that fall back to it. Calls that are in progress with an earlier configuration continue with its fall-backs.',
    params,
    success: 200,
    data: z.null(),
    message: 'Model deleted',
    errors: ['MODEL_NOT_FOUND', 'MODEL_IN_USE'],
  }),
  modelsTest: operation({
    ...common,
    id: 'models.test',
    method: 'POST',
    path: '/models/test',
    auth: org('tools:update'),
    verified: true,
    reaches: 'strangers',
    bucket: 'cost',
    // It costs what a sentence costs at the provider; the platform keeps nothing of it.
    changesNothing: true,
    answerWithinMs: 20_000,
    summary: 'Test a model of the voice catalog with one small request',
    description:
      'An llm is asked for a word, tts speaks a sentence, and stt recognizes a recording of the platform. A model that fails is a result too: the answer is 200, with the reason in `error`. Models that the voice runtime reaches by a plugin cannot be tested here, and those of the installation only where this process has their key.',
    body: ModelTestInput,
    success: 200,
    data: ModelTest,
    message: 'Model tested',
    errors: ['MODEL_NOT_FOUND', 'SECRET_NOT_FOUND'],
  }),
  modelsForCall: operation({
    ...common,
    id: 'models.forCall',
    method: 'POST',
    path: '/runtime/calls/{callId}/models',
    auth: ofCallWithInternalKey,
    mcp: hidden('for the voice runtime that holds the call'),
    bucket: 'internal',
    summary: "Get the endpoints of the call's own models",
    description:
      "Answers the models of the organization that this version of the call's agent names, and those that they fall back to. Keys are sealed for the public key of the request, so that nothing between the two holds one in the clear.",
    params: z.strictObject({ callId }),
    body: ModelsForCallInput,
    success: 200,
    data: z.array(ModelForCall),
    message: 'Models of the call',
    errors: ['AGENT_NOT_FOUND', 'CONFIG_NOT_FOUND'],
  }),
} as const;
