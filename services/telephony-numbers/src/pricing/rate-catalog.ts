// The price of a number for its buyer: the provider's own price, with the markup of the installation. Whole micros
// throughout.
import { sha256 } from '@parlance/crypto';
import type { Tx } from '@parlance/postgres';

interface Rules {
  /** hundredths of a percent of the provider's price */
  readonly markupBasisPoints: number;
  readonly minimumMarkupMicros: number;
}

export interface RateCatalog {
  /** Names the rules: other rules, another version. */
  readonly version: string;
  readonly rules: Rules;
}

const versionLength = 10;

/** A buyer with an own provider account pays the provider's price. */
const atCost: Rules = { markupBasisPoints: 0, minimumMarkupMicros: 0 };

export const rateCatalog = (billing: 'hosted' | 'own', hosted: Rules): RateCatalog => {
  const rules = billing === 'own' ? atCost : hosted;
  const { markupBasisPoints, minimumMarkupMicros } = rules;
  const name = sha256(JSON.stringify(['rates-1', markupBasisPoints, minimumMarkupMicros]));
  return { version: `rates-1-${name.slice(0, versionLength)}`, rules };
};

const basis = 10_000n;

/** Price of a month, rounded up to the micro. */
export const monthlyPriceMicros = ({ rules }: RateCatalog, providerCostMicros: number): number => {
  const share = (BigInt(providerCostMicros) * BigInt(rules.markupBasisPoints) + basis - 1n) / basis;
  const minimum = BigInt(rules.minimumMarkupMicros);
  return Number(BigInt(providerCostMicros) + (share > minimum ? share : minimum));
};

/** Records the rules of this version, before any price is made with it. */
export const recordCatalog = async (tx: Tx, { version, rules }: RateCatalog, now: Date): Promise<void> => {
  await tx.query(
    `insert into rate_catalogs (version, rules, first_used_at) values ($1, $2, $3) on conflict do nothing`,
    [version, JSON.stringify(rules), now],
  );
};
