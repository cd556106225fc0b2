# One image for api, worker and sandbox; compose (or your scheduler) names the command.
FROM node:24-bookworm-slim AS build
WORKDIR /engine
COPY package.json package-lock.json ./
RUN npm install --no-save --no-audit --no-fund
COPY . .
RUN npx tsc -p tsconfig.build.json && node dist/tools/bundle-workflows.js && npm prune --omit=dev

FROM node:24-bookworm-slim
WORKDIR /engine
ENV NODE_ENV=production
COPY --from=build /engine/package.json ./
COPY --from=build /engine/node_modules node_modules
COPY --from=build /engine/dist dist
USER node
