// A row of the table `numbers`, and the number as callers read it.
import type { NumberStatus, PhoneNumber, Provider } from '@parlance/contracts';

export type Step = 'ordering' | 'bought' | 'configured' | 'routed' | 'done';

export interface NumberRow {
  readonly id: string;
  readonly organization_id: string;
  readonly provider: Provider;
  readonly phone_number: string;
  readonly friendly_name: string;
  readonly iso_country: string;
  readonly locality: string | null;
  readonly region: string | null;
  readonly sms: boolean;
  readonly status: NumberStatus;
  readonly step: Step;
  readonly provider_number_id: string | null;
  readonly agent_id: string | null;
  readonly agent_name: string | null;
  /** bigint, as text */
  readonly provider_monthly_cost_micros: string;
  readonly monthly_price_micros: string;
  readonly currency: string;
  readonly rate_catalog_version: string;
  readonly purchased_by: string;
  readonly purchased_at: Date | null;
  readonly failure_code: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly tries: number;
  /** Its month is being reserved by the gateway: nothing was ordered. */
  readonly awaits_money: boolean;
}

export const toPhoneNumber = (row: NumberRow): PhoneNumber => ({
  id: row.id,
  provider: row.provider,
  phoneNumber: row.phone_number,
  friendlyName: row.friendly_name,
  isoCountry: row.iso_country,
  locality: row.locality,
  region: row.region,
  capabilities: { voice: true, sms: row.sms },
  status: row.status,
  providerNumberId: row.provider_number_id,
  agentId: row.agent_id,
  agentName: row.agent_name,
  providerMonthlyCostMicros: Number(row.provider_monthly_cost_micros),
  monthlyPriceMicros: Number(row.monthly_price_micros),
  currency: row.currency,
  rateCatalogVersion: row.rate_catalog_version,
  purchasedBy: row.purchased_by,
  purchasedAt: (row.purchased_at ?? row.created_at).toISOString(),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
