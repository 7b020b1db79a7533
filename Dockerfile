# The platform's image: the gateway, every service, and the commands of tools/provision. Which one runs is the container's
# command: `docker run parlance gateway`. Whether it is well is asked by whoever runs it (docker-compose.yml, a cluster).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund --ignore-scripts
RUN npx tsc -b gateway services/* tools/provision && node packages/widget/bundle.mjs && node console/build.mjs && node tools/provision/bundle.mjs
RUN --mount=type=cache,target=/root/.npm deploy/image/prune.sh

FROM ${NODE_IMAGE}
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
