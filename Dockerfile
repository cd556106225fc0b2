# An image each for api, worker and sandbox, from the same layers: `docker build --target api .`
FROM node:24-bookworm-slim AS build
WORKDIR /engine
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY apps apps
COPY libs libs
COPY tools tools
COPY bench bench
COPY proof proof
RUN node_modules/typescript/bin/tsc -p tsconfig.build.json && node dist/tools/bundle-workflows.js

# Without compiler, linter, and the PostgreSQL and Node of a development machine.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /engine
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# The bill of materials of what was installed just now, under a name by which scanners of images find it. npm makes none
# while package.json asks for packages that are left out.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx --loglevel=error > sbom.cdx.json

FROM node:24-bookworm-slim AS engine
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
WORKDIR /engine
COPY --from=dependencies /engine/node_modules node_modules
COPY --from=dependencies /engine/sbom.cdx.json ./
COPY --from=build /engine/package.json ./
COPY --from=build /engine/dist dist
# By number, so that Kubernetes sees that it is not root.
USER 1000

FROM engine AS sandbox
ENV HOST=0.0.0.0 PORT=4000
EXPOSE 4000
CMD ["node", "dist/apps/sandbox/src/main.js"]
HEALTHCHECK --interval=10s --timeout=30s --start-period=120s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

FROM engine AS worker
ENV HEALTH_HOST=0.0.0.0 HEALTH_PORT=3001
EXPOSE 3001
CMD ["node", "dist/apps/worker/src/main.js"]
HEALTHCHECK --interval=10s --timeout=30s --start-period=120s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# Last, so that it is the image of a build without a target.
FROM engine AS api
ENV HOST=0.0.0.0 PORT=3000
EXPOSE 3000
CMD ["node", "dist/apps/api/src/main.js"]
HEALTHCHECK --interval=10s --timeout=30s --start-period=120s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
