// The models that a configuration may name: the offers of vendors in November 2026, under `<vendor>/<the vendor's own
// id>`. Prices are list prices without discounts, null where a vendor publishes none; latencies are typical medians.
import type { CatalogModel } from './catalog-model.js';
import { llmModels } from './llm-models.js';
import { sttModels } from './stt-models.js';
import { ttsModels } from './tts-models.js';

export const catalogModels: readonly CatalogModel[] = [...sttModels, ...llmModels, ...ttsModels];
