// The two ends of a call, its times, and its end.
import type { CallLog } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../app/permission.js';
import { CallStateBadge } from '../../components/call-status.js';
import { Card, Facts } from '../../components/card.js';
import { ownNumberOf, partyOf } from '../../components/party.js';
import { CopyableId, Duration, Moment } from '../../components/values.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { callWords } from '../../strings/call-words.js';
import { callStrings } from '../../strings/calls.js';
import { type OptOut, optOutOf } from './opt-out.js';

const seconds = (value: number | null) => <Duration ms={value === null ? null : value * 1_000} />;

const consentText = ({ type, granted }: CallLog['consent']): string => {
  if (type === 'none') return strings.consentTypes.none;
  const answer = granted === null ? 'open' : granted ? 'yes' : 'no';
  return `${strings.consentTypes[type]}, ${strings.consentGranted[answer]}`;
};

/** The telephone network's words about an end, such as `SIP status 486 · Busy Here`. */
const networkText = ({ error }: CallLog): string | undefined => {
  if (error === null) return undefined;
  const { sipStatus, providerCode, detail } = error;
  const said = [sipStatus === undefined ? undefined : strings.sipStatus(sipStatus), providerCode, detail];
  const text = said.filter(Boolean).join(' · ');
  return text === '' ? undefined : text;
};

const optionalFacts = (call: CallLog) => {
  const network = networkText(call);
  return [
    ...(call.answeredBy === null
      ? []
      : [{ name: strings.answeredBy, value: callWords.answeredBy[call.answeredBy] }]),
    ...(network === undefined ? [] : [{ name: strings.errorDetail, value: network }]),
    ...(call.transfer === null
      ? []
      : [
          {
            name: strings.transfer,
            value: `${call.transfer.destination} (${strings.transferStates[call.transfer.status]})`,
          },
        ]),
    ...(call.outboundCallId === null
      ? []
      : [
          {
            name: strings.outboundCall,
            value: (
              <Link
                to="/outbound-calls/$outboundId"
                params={{ outboundId: call.outboundCallId }}
                className="link"
              >
                {strings.openOutbound}
              </Link>
            ),
          },
        ]),
    ...(call.campaignId === null
      ? []
      : [
          {
            name: strings.campaign,
            value: (
              <Link to="/campaigns/$campaignId" params={{ campaignId: call.campaignId }} className="link">
                {strings.openCampaign}
              </Link>
            ),
          },
        ]),
    ...(call.providerCallId === null
      ? []
      : [
          {
            name: strings.provider,
            value: <CopyableId id={call.providerCallId} name={strings.providerId} />,
          },
        ]),
  ];
};

const OptOutFact = ({ text, entry }: OptOut) => (
  <>
    {text}
    {entry === undefined ? null : (
      <>
        {' · '}
        <Link to="/do-not-call" search={entry} className="link">
          {strings.optOut.openList}
        </Link>
      </>
    )}
  </>
);

export const CallFacts = ({ call }: { readonly call: CallLog }) => {
  const optOut = optOutOf(call, useCan('suppressions.list').allowed);
  return (
    <Card title={strings.facts}>
      <Facts
        facts={[
          { name: callStrings.state, value: <CallStateBadge {...call} /> },
          ...(call.endedReason === null
            ? []
            : [{ name: strings.why, value: callWords.endedReason[call.endedReason] }]),
          { name: strings.agent, value: `${call.agentName} (${strings.version(call.configVersion)})` },
          { name: strings.party, value: partyOf(call) },
          { name: strings.direction, value: callWords.direction[call.direction] },
          { name: strings.channel, value: callWords.channel[call.channel] },
          ...(ownNumberOf(call) === null ? [] : [{ name: strings.ownNumber, value: ownNumberOf(call) }]),
          { name: strings.begun, value: <Moment at={call.startedAt} /> },
          { name: strings.ended, value: <Moment at={call.endedAt} /> },
          { name: strings.rang, value: seconds(call.ringSeconds) },
          { name: strings.talked, value: seconds(call.durationSeconds) },
          { name: strings.consent, value: consentText(call.consent) },
          ...(optOut === undefined
            ? []
            : [{ name: strings.optOut.label, value: <OptOutFact {...optOut} /> }]),
          ...optionalFacts(call),
          { name: strings.id, value: <CopyableId id={call.id} name={callStrings.callId} /> },
          { name: strings.room, value: <CopyableId id={call.roomName} name={strings.roomName} /> },
        ]}
      />
    </Card>
  );
};
