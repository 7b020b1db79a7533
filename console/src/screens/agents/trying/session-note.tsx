// The version that a try runs with, and the way to its entry in the call log.
import type { PreviewSession } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { agentPageStrings } from '../../../strings/agent.js';

const strings = agentPageStrings.try;

export const SessionNote = ({
  session: { configVersion, callId },
}: {
  readonly session: Pick<PreviewSession, 'configVersion' | 'callId'>;
}) => (
  <span className="text-xs text-ink-soft">
    {strings.version(configVersion)}{' '}
    <Link to="/calls/$callId" params={{ callId }} className="link">
      {strings.toCall}
    </Link>
  </span>
);
