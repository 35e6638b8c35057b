// A client over @grpc/grpc-js, which reads the protocol files as it starts.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

import { main } from "./play.mjs";

const PROTO = process.env.LANDSRAAD_PROTO ?? join(dirname(fileURLToPath(import.meta.url)), "../../../proto");
const FILES = ["catalog", "matches", "play", "replays"].map((name) => `landsraad/v1/${name}_service.proto`);

function connectTo(server) {
  const definition = loader.loadSync(FILES, { includeDirs: [PROTO], longs: String, enums: String, oneofs: true });
  const { Catalog, Matches, Play, Replays } = grpc.loadPackageDefinition(definition).landsraad.v1;
  const plain = grpc.credentials.createInsecure();
  const clients = [Catalog, Matches, Play, Replays].map((Service) => new Service(server, plain));
  const [catalog, matches, play, replays] = clients;
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer landsraad_guest_foreign_grpc_js_${process.pid}`);
  const unary = (client, method) => (request) =>
    new Promise((resolve, reject) => {
      client[method](request, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  return {
    getGame: unary(catalog, "getGame"),
    createMatch: unary(matches, "createMatch"),
    joinMatch: unary(matches, "joinMatch"),
    getMatch: unary(matches, "getMatch"),
    getReplay: unary(replays, "getReplay"),
    async *connect(items) {
      const stream = play.connect(metadata);
      const sending = (async () => {
        for await (const item of items) stream.write({ items: [item] });
        stream.end();
      })();
      for await (const frame of stream) yield* frame.items ?? [];
      await sending;
    },
    close: () => clients.forEach((client) => client.close()),
  };
}

await main(connectTo);
