import { PhoneOutgoing } from 'lucide-react';
import { Guarded } from '../../app/permission.js';
import { ButtonLink } from '../../components/button.js';
import { callStrings as strings } from '../../strings/calls.js';

export const PlaceCall = () => (
  <Guarded operation="outboundCalls.quick">
    <ButtonLink
      to="/outbound-calls/new"
      kind="primary"
      icon={<PhoneOutgoing aria-hidden className="size-4" />}
    >
      {strings.placeCall}
    </ButtonLink>
  </Guarded>
);
