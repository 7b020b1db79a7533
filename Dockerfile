# The images, as targets. `platform`, the default: the gateway, every service, the text runtime, and the commands of tools/provision;
# the container's command chooses: `docker run parlance gateway`. `voice`: the voice runtime. `speech`: local recognition and speech.
# Whether a container is well is asked by whoever runs it (docker-compose.yml, a cluster).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
ARG PYTHON_IMAGE=python:3.12.12-slim-bookworm

FROM ${NODE_IMAGE} AS checkout
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund --ignore-scripts

FROM checkout AS build
RUN npx tsc -b gateway services/* runtime/process tools/provision && node packages/widget/bundle.mjs && node console/build.mjs && node tools/provision/bundle.mjs
RUN --mount=type=cache,target=/root/.npm deploy/image/prune.sh platform

FROM checkout AS voice-build
RUN --mount=type=cache,target=/root/.npm npx tsc -b runtime/voice libs/ops-listener && \
  cd runtime/voice && npm ci --ignore-scripts && npm run build && npm prune --omit=dev --ignore-scripts
RUN --mount=type=cache,target=/root/.npm deploy/image/prune.sh voice

FROM ${NODE_IMAGE} AS voice
LABEL org.opencontainers.image.title="Parlance voice runtime" \
  org.opencontainers.image.description="Holds the calls of voice agents in LiveKit rooms" \
  org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=voice-build /app .
USER node
ENTRYPOINT ["node", "--enable-source-maps", "runtime/voice/dist/program/livekit/main.js"]

FROM ${PYTHON_IMAGE} AS speech
LABEL org.opencontainers.image.title="Parlance speech" \
  org.opencontainers.image.description="Recognition and speech on this machine, over the OpenAI protocol" \
  org.opencontainers.image.licenses="Apache-2.0"
COPY runtime/speech/requirements.txt /tmp/
RUN pip install --no-cache-dir --require-hashes --only-binary :all: --requirement /tmp/requirements.txt && \
  install -d -o 1000 -g 1000 /models
WORKDIR /app
COPY runtime/speech/models.json .
COPY runtime/speech/parlance_speech parlance_speech
ENV PYTHONDONTWRITEBYTECODE=1 HF_HUB_OFFLINE=1 SPEECH_MODELS_DIR=/models
USER 1000:1000
ENTRYPOINT ["python", "-m", "parlance_speech"]

FROM ${NODE_IMAGE} AS platform
LABEL org.opencontainers.image.title="Parlance" \
  org.opencontainers.image.description="A self-hosted platform for voice agents" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app .
USER node
EXPOSE 4700
ENTRYPOINT ["/app/deploy/image/entrypoint.sh"]
CMD ["gateway"]
