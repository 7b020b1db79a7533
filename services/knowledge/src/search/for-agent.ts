// Tells the runtime of an agent whether to search in a call, and gives it the text for the prompt.
import type { KnowledgeForRuntime } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';
import type { Scope } from './served.js';

/** The most tokens of all prompt sources of an agent together. A source that does not fit is searched instead. */
const mostTokens = 12_000;
const mostSources = 1_000;

interface SourceRow {
  readonly id: string;
  readonly generation: number;
  readonly name: string;
  readonly usageMode: 'auto' | 'prompt';
  readonly tokens: number;
}

interface ChunkRow {
  readonly sourceId: string;
  readonly pageId: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text of a source. Chunks of a page may overlap; nothing is said twice. */
const textOf = (chunks: readonly ChunkRow[]): string => {
  let page: string | undefined;
  let end = 0;
  const parts: string[] = [];
  for (const chunk of chunks) {
    const isNewPage = chunk.pageId !== page;
    const overlap = isNewPage ? 0 : Math.max(0, end - chunk.start);
    const rest = chunk.text.slice(overlap);
    if (rest.trim() !== '') parts.push(rest.trim());
    page = chunk.pageId;
    end = isNewPage ? chunk.end : Math.max(end, chunk.end);
  }
  return parts.join('\n\n');
};

const oneLine = (name: string): string => name.replaceAll(/\s+/g, ' ');

/** Sources for the prompt, oldest first, as long as they fit. */
const fitting = (sources: readonly SourceRow[]): SourceRow[] => {
  let left = mostTokens;
  return sources.filter(({ usageMode, tokens }) => {
    if (usageMode !== 'prompt' || tokens > left) return false;
    left -= tokens;
    return true;
  });
};

const readSources = async (tx: Tx, { organizationId, agentId }: Scope): Promise<SourceRow[]> => {
  const { rows } = await tx.query<SourceRow>(
    `select s.id, s.generation, s.name, s.usage_mode as "usageMode", coalesce(sum(c.token_count), 0)::int as tokens
     from knowledge_sources s left join knowledge_chunks c on s.usage_mode = 'prompt'
       and c.organization_id = s.organization_id and c.source_id = s.id and c.generation = s.generation
     where s.organization_id = $1 and s.agent_id = $2 and s.generation > 0
     group by s.organization_id, s.id order by s.created_at, s.id limit ${mostSources}`,
    [organizationId, agentId],
  );
  return rows;
};

const readChunks = async (
  tx: Tx,
  organizationId: string,
  sources: readonly SourceRow[],
): Promise<ChunkRow[]> => {
  const { rows } = await tx.query<ChunkRow>(
    `select c.source_id as "sourceId", c.page_id as "pageId", c.text, c.start_offset as start, c.end_offset as "end"
     from unnest($2::uuid[], $3::int[]) as f (source_id, generation)
       join knowledge_chunks c on c.organization_id = $1 and c.source_id = f.source_id and c.generation = f.generation
       left join knowledge_pages p on p.organization_id = $1 and p.source_id = c.source_id
         and p.generation = c.generation and p.id = c.page_id
     order by p.ordinal, c.page_id, c.ordinal`,
    [organizationId, sources.map(({ id }) => id), sources.map(({ generation }) => generation)],
  );
  return rows;
};

/** Reads in one snapshot, which `tx` has to be. */
export const knowledgeForAgent = async (tx: Tx, scope: Scope): Promise<KnowledgeForRuntime> => {
  const sources = await readSources(tx, scope);
  if (sources.length === 0) return { mode: 'none', prompt: null };
  const inPrompt = fitting(sources);
  const mode = inPrompt.length === sources.length ? 'prompt' : 'auto';
  if (inPrompt.length === 0) return { mode, prompt: null };
  const chunks = await readChunks(tx, scope.organizationId, inPrompt);
  const prompt = inPrompt
    .map(
      ({ id, name }) => `# ${oneLine(name)}\n\n${textOf(chunks.filter(({ sourceId }) => sourceId === id))}`,
    )
    .join('\n\n');
  return { mode, prompt };
};
