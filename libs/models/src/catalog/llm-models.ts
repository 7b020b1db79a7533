// Language models.
import { type CatalogModel, thinks } from './catalog-model.js';

export const llmModels: readonly CatalogModel[] = [
  thinks({ id: 'openai/gpt-4.1-mini', name: 'GPT-4.1 mini', provider: 'OpenAI', latencyMs: 450 }, [0.4, 1.6]),
  thinks({ id: 'openai/gpt-4.1', name: 'GPT-4.1', provider: 'OpenAI', latencyMs: 600 }, [2, 8]),
  thinks({ id: 'openai/gpt-4.1-nano', name: 'GPT-4.1 nano', provider: 'OpenAI', latencyMs: 350 }, [0.1, 0.4]),
  thinks(
    { id: 'openai/gpt-5.4-mini', name: 'GPT-5.4 mini', provider: 'OpenAI', latencyMs: 600 },
    [0.75, 4.5],
  ),
  thinks({ id: 'openai/gpt-5.6-luna', name: 'GPT-5.6 Luna', provider: 'OpenAI', latencyMs: 500 }, [0.2, 1.2]),
  thinks({ id: 'openai/gpt-5.6-terra', name: 'GPT-5.6 Terra', provider: 'OpenAI', latencyMs: 700 }, [2, 12]),
  thinks(
    { id: 'anthropic/claude-haiku-5-5', name: 'Claude Haiku 5.5', provider: 'Anthropic', latencyMs: 450 },
    [0.1, 0.5],
  ),
  thinks(
    { id: 'anthropic/claude-haiku-4-5', name: 'Claude Haiku 4.5', provider: 'Anthropic', latencyMs: 500 },
    [1, 5],
  ),
  thinks(
    { id: 'anthropic/claude-sonnet-5-5', name: 'Claude Sonnet 5.5', provider: 'Anthropic', latencyMs: 800 },
    [2, 10],
  ),
  thinks(
    { id: 'google/gemini-3.8-flash', name: 'Gemini 3.8 Flash', provider: 'Google', latencyMs: 500 },
    null,
  ),
  thinks(
    { id: 'google/gemini-3.5-flash-lite', name: 'Gemini 3.5 Flash-Lite', provider: 'Google', latencyMs: 350 },
    null,
  ),
  thinks(
    { id: 'google/gemini-2.5-flash', name: 'Gemini 2.5 Flash', provider: 'Google', latencyMs: 450 },
    [0.3, 2.5],
  ),
  thinks(
    { id: 'google/gemini-2.5-flash-lite', name: 'Gemini 2.5 Flash-Lite', provider: 'Google', latencyMs: 350 },
    [0.1, 0.4],
  ),
  thinks(
    { id: 'mistral/mistral-medium-3.5', name: 'Mistral Medium 3.5', provider: 'Mistral AI', latencyMs: 550 },
    [1.5, 7.5],
  ),
  thinks(
    { id: 'mistral/mistral-small-latest', name: 'Mistral Small', provider: 'Mistral AI', latencyMs: 350 },
    [0.1, 0.3],
  ),
  thinks(
    { id: 'groq/llama-3.3-70b-versatile', name: 'Llama 3.3 70B', provider: 'Groq', latencyMs: 250 },
    [0.59, 0.79],
  ),
  thinks(
    { id: 'groq/openai/gpt-oss-120b', name: 'GPT-OSS 120B', provider: 'Groq', latencyMs: 250 },
    [0.15, 0.75],
  ),
  thinks(
    { id: 'cerebras/gpt-oss-120b', name: 'GPT-OSS 120B', provider: 'Cerebras', latencyMs: 200 },
    [0.35, 0.75],
  ),
];
