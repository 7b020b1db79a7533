// Gauges of the queue of sources for operators.
import { knowledgeJobs, observe } from '@parlance/metrics';
import type { RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';

interface Jobs {
  readonly due: number;
  readonly running: number;
  readonly hanging: number;
}

const jobsOf = async (db: Database): Promise<Jobs> => {
  const { rows } = await db.atOnce.query<Jobs>({
    name: 'gauge-knowledge-jobs',
    text: `select count(*) filter (where is_due)::int as due, count(*) filter (where is_running)::int as running,
             count(*) filter (where is_due and created_at < now() - interval '1 hour')::int as hanging
           from (select created_at, claimed_until >= now() is true as is_running,
                   next_try_at < now() and (claimed_until is null or claimed_until < now()) as is_due
                 from knowledge_jobs) jobs`,
  });
  return rows[0] ?? { due: 0, running: 0, hanging: 0 };
};

/** Reads the queue at each collection of the metrics. */
export const startJobGauges = (db: Database): RunningPart => {
  const end = observe(knowledgeJobs, async () =>
    Object.entries(await jobsOf(db)).map(([state, jobs]) => [jobs, { 'parlance.job.state': state }]),
  );
  return { name: 'gauges of knowledge jobs', stop: async () => end() };
};
