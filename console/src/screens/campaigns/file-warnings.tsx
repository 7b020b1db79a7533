// Warnings about the file of a campaign, in the wizard and beside the campaign.
import type { BatchCampaign } from '@parlance/client';
import { Notice } from '../../components/status.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';

type FileWarning = NonNullable<BatchCampaign['file']['warnings']>[number];

export const FileWarnings = ({
  warnings = [],
}: {
  readonly warnings?: readonly FileWarning[] | undefined;
}) =>
  warnings.length === 0 ? null : (
    <Notice tone="attention">
      <p className="font-medium">{strings.fileWarnings}</p>
      <ul className="mt-2 list-disc pl-5">
        {warnings.map(({ code, message }) => (
          <li key={`${code} ${message}`}>
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  );
