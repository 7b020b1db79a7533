// The help of `npm start`. It stands here, because it is shown before anything is installed or compiled.
export const help = `npm start -- [options]

Runs the whole platform on this machine, without Docker, on loopback only.

  --port <n>         port of the gateway (default: 4700, or a free one)
  --data-dir <path>  folder that keeps all data (default: .parlance)
  --time-scale <n>   how much faster than life simulated people talk (default: 4)
  --real-media       real calls between LiveKit's own programs and telephones on the wire, all on loopback, instead of
                     simulated people; needs livekit-server, livekit-sip, redis-server and sipp (docs/real-engines.md)
  --browser-voice    real conversations in the browser: LiveKit's own server and a voice runtime, all on loopback; needs
                     livekit-server, and no telephone can be called. --real-media has both
  --empty            without the first organization: somebody sets it up at /set-up, with the code in the log
  --dialers <n>      copies of the dialer, which share the work (default: 1)
  --help             this text

Every variable of docs/configuration.md may be set in the environment. An engine that is named there is used as it is:
POSTGRES_ADMIN_URL, NATS_URL, EVENTSTORE_URL, MONGODB_URL, OBJECT_STORAGE_URL, LIVEKIT_URL with LIVEKIT_WS_URL,
LIVEKIT_API_KEY and LIVEKIT_API_SECRET, TWILIO_ACCOUNT_SID, TELNYX_API_KEY, SMTP_URL with MAIL_FROM. A mongod that is installed is started.
Everything else is started here, or a stand-in for it, and stopped with Ctrl-C.
`;
