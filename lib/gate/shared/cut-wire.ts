import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A wire between a client and a server of this machine that tests can cut: what is under way is lost, both ways. */
export class CutWire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  /** Bytes from the server are swallowed: what was asked is done, and nobody hears of it. */
  #isDeaf = false;

  private constructor(target_port: number) {
    this.#server = createServer((client) => {
      if (this.#isCut) return client.destroy();
      const far = connect(target_port, "127.0.0.1");
      client.pipe(far);
      far.on("data", (bytes) => this.#isDeaf || client.write(bytes));
      for (const socket of [client, far]) this.#watch(socket, client, far);
    });
  }

  static async to(target_port: number): Promise<CutWire> {
    const wire = new CutWire(target_port);
    wire.#server.listen(0, "127.0.0.1");
    await once(wire.#server, "listening");
    return wire;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Ends every connection and takes no new one. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets nothing of the server through on the connections that stand. */
  deafen(isDeaf: boolean): void {
    this.#isDeaf = isDeaf;
  }

  mend(): void {
    this.#isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #watch(socket: Socket, client: Socket, far: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#sockets.delete(socket);
      client.destroy();
      far.destroy();
    });
  }
}
