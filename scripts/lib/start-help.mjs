// The help of `npm start`. It stands here, because it is shown before anything is installed or compiled.
export const help = `npm start -- [options]

Runs the whole platform on this machine, on loopback only and without Docker.

  --port <n>         port of the gateway (default: 4700, or a free one)
  --data-dir <path>  folder for all data (default: .parlance)
  --time-scale <n>   speed of simulated callees, relative to real time (default: 4)
  --voice            spoken conversations with the voice runtime and the local speech service of npm run voice:setup; telephones
                     and browsers as far as their programs are installed
  --real-media       real SIP calls through LiveKit to telephones on loopback, instead of simulated callees; needs the voice
                     runtime, livekit-server, livekit-sip, redis-server and sipp (docs/real-engines.md)
  --browser-voice    real voice in the browser through LiveKit; needs the voice runtime and livekit-server. Phones cannot be
                     called; --real-media includes both
  --scripted-agent   with --real-media: an agent without ears, which reads a script, instead of the voice runtime; for tests of
                     telephony
  --empty            do not create an organization; set it up at /set-up with the code from the log
  --dialers <n>      replicas of the dialer (default: 1)
  --help             show this help

Set any variable of docs/configuration.md in the environment. These connect to an engine of yours instead of starting one:
POSTGRES_ADMIN_URL, NATS_URL, EVENTSTORE_URL, MONGODB_URL, OBJECT_STORAGE_URL, LIVEKIT_URL with LIVEKIT_WS_URL,
LIVEKIT_API_KEY and LIVEKIT_API_SECRET, TWILIO_ACCOUNT_SID, TELNYX_API_KEY, SMTP_URL with MAIL_FROM. An installed mongod is
used. Every other engine, or a stand-in for it, is started for you. Ctrl-C stops everything.
`;
