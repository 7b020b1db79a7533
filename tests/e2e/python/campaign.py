"""One campaign from its file to its outcome, by a client that openapi-python-client generated from the interface document.

Reads PARLANCE_URL, PARLANCE_KEY, AGENT_ID and FROM_NUMBER; takes the phone numbers as arguments. Prints the campaign's
status and progress, and the status of each call by its number, as one JSON object.
"""

import json
import os
import sys
import time
from uuid import UUID

import httpx
from parlance_client import AuthenticatedClient
from parlance_client.api.agents import agents_get_config
from parlance_client.api.calls import calls_get, calls_timeline
from parlance_client.api.outbound_calls import (
    outbound_calls_batch_upload_url,
    outbound_calls_create_batch,
    outbound_calls_get_batch,
    outbound_calls_list,
)
from parlance_client.models import ErrorResponse, OutboundCallsCreateBatchBody

client = AuthenticatedClient(
    base_url=f"{os.environ['PARLANCE_URL']}/api/v1",
    token=os.environ["PARLANCE_KEY"],
    auth_header_name="x-api-key",
    prefix="",
)
agent_id = UUID(os.environ["AGENT_ID"])
configuration = agents_get_config.sync(agent_id=agent_id, client=client).data

place = outbound_calls_batch_upload_url.sync(client=client, file_name="people.csv", content_type="text/csv").data
file = "\n".join(["phone_number", *sys.argv[1:]])
httpx.put(place.upload_url, content=file, headers={"content-type": "text/csv"}).raise_for_status()

campaign = outbound_calls_create_batch.sync(
    client=client,
    idempotency_key="the campaign of a Python program",
    body=OutboundCallsCreateBatchBody(
        name="By a Python program",
        agent_id=agent_id,
        from_number=os.environ["FROM_NUMBER"],
        source_file_key=place.source_file_key,
        source_file_name="people.csv",
    ),
).data

deadline = time.monotonic() + 120
while campaign.status not in ("completed", "failed", "cancelled") and time.monotonic() < deadline:
    time.sleep(0.5)
    campaign = outbound_calls_get_batch.sync(campaign_id=campaign.id, client=client).data

calls = outbound_calls_list.sync(client=client, agent_id=agent_id).data
kinds = {
    entry.kind
    for call in calls
    for entry in calls_timeline.sync(call_id=call.call_id, client=client).data.entries
}
refusal = calls_get.sync(call_id="no-such-call", client=client)

print(
    json.dumps(
        {
            "version": configuration.version,
            "status": campaign.status,
            "total": campaign.progress.total,
            "calls": {call.phone_number: call.status for call in calls},
            "kinds": sorted(kinds),
            "refused": isinstance(refusal, ErrorResponse) and refusal.error.code,
        }
    )
)
