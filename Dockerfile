# The server as an image; docs/operations.md says how it is built, with a registry and without, and what it needs to run.
# Any Debian will do as a base, provided that it has npm, or that vendor/ brings the packages: they include Node itself.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS packages
LABEL fathom.stage=packages
WORKDIR /app
COPY package.json package-lock.json vendor* ./
RUN test -d node_modules || npm ci --omit=dev

FROM ${BASE}
RUN command -v git > /dev/null \
    || { apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*; }
# The user of the sandboxes: what an agent leaves in its copy of a repository has to be removed without being root.
RUN install -d -o 65534 -g 65534 /var/lib/fathom
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY prompts prompts
COPY src src
ENV PATH=/app/node_modules/.bin:$PATH \
    NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    HOME=/var/lib/fathom \
    FATHOM_DATA=/var/lib/fathom
USER 65534:65534
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
