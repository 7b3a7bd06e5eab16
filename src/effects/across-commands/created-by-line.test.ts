import { describe, expect, test } from "vitest";
import { readShell } from "../../shell/shell.ts";
import { effectsOf } from "../effects.ts";

function kinds(line: string): readonly string[] {
  const shell = readShell(line, { cwd: "/w", variables: { HOME: "/home/u" } });
  expect(shell.unreadable).toBeUndefined();
  return effectsOf(shell, { cwd: "/w", userHome: "/home/u" }).map(({ kind }) => kind);
}

describe("what the line itself made", () => {
  test.each([
    "kind create cluster --name t && npm test; kind delete cluster --name t",
    "kind create cluster --name=t; npm test; kind delete cluster --name t",
    "kind create cluster && npm test && kind delete cluster",
    "kind create cluster -n t --config k.yaml && kind delete cluster -n t",
    "k3d cluster create t --agents 2 && npm test; k3d cluster delete t",
    "k3d cluster create t && trap 'k3d cluster delete t' EXIT && npm test",
    "set -e; kubectl create namespace t; npm test; kubectl delete namespace t",
    "kubectl create ns t && npm test && kubectl delete ns t",
    "kubectl create ns t-$$; npm test; kubectl delete ns t-$$",
    "eksctl create cluster --name t --region r && npm test && eksctl delete cluster --name t --region r",
    "gcloud container clusters create t --zone z && gcloud container clusters delete t --zone z --quiet",
    "turso db create t && npm test && turso db destroy t --yes",
    "fly apps create t && npm test && fly apps destroy t --yes",
    "multipass launch --name t && npm test && multipass delete t --purge",
    "lxc launch ubuntu:24.04 t && npm test && lxc delete t --force",
    "limactl create --name=t x.yaml && limactl delete t",
    "docker run -d --name t -p 5432:5432 postgres && npm test && docker rm -f -v t",
    "docker run -d --name=t -e A=b -v data:/d postgres; npm test; docker rm -fv t",
    "docker create --name t postgres && docker start t && docker container rm -v t",
    "podman run -d --name t redis; podman rm --force --volumes t",
    "docker run -d --name t-$$ redis; docker rm -f -v t-$$",
    "docker volume create pg-test && docker run --rm -v pg-test:/d postgres true && docker volume rm pg-test",
    "docker volume create tmp1 && npm test && docker volume rm -f tmp1",
    "docker volume create v-$$; npm test; docker volume rm v-$$",
    "pscale branch create shop t && npm test && pscale branch delete shop t",
  ])("is no loss: %s", (line) => expect(kinds(line)).toEqual([]));
});

describe("what may have been there", () => {
  test.each([
    "kind delete cluster --name t",
    "kind create cluster --name t; kind delete cluster --name prod",
    "kind create cluster; npm test; kind delete cluster",
    "kind create cluster --name t; kind delete clusters --all",
    "kind delete cluster --name t && kind create cluster --name t",
    "kind create cluster --name $X; kind delete cluster --name $X",
    "kind create cluster --name t --help; kind delete cluster --name t",
    "echo kind create cluster --name t; kind delete cluster --name t",
    "k3d cluster create t; k3d cluster delete t other",
    "k3d cluster create t; k3d cluster delete --all",
    "k3d cluster create t; ssh host k3d cluster delete t",
    "minikube start -p t && npm test; minikube delete -p t",
    "kubectl create namespace t; npm test; kubectl delete namespace t",
    "kubectl create namespace t || true; kubectl delete namespace t",
    "kubectl create namespace t --dry-run=client && kubectl delete namespace t",
    "kubectl create namespace t && kubectl --context prod delete namespace t",
    "kubectl create namespace t && kubectl config use-context prod && kubectl delete namespace t",
    "kubectl create namespace t && kubectx prod && kubectl delete namespace t",
    "kubectl create namespace t && export KUBECONFIG=prod && kubectl delete namespace t",
    "kubectl create namespace t && KUBECONFIG=prod kubectl delete namespace t",
    "kubectl create namespace t && kubectl delete deployment t",
    "kubectl apply -f ns.yaml && kubectl delete namespace t",
    "eksctl create cluster --name t --region r && eksctl delete cluster --name t --region other",
    "turso db create t; turso db destroy t --yes",
    "fly apps create t && fly apps destroy shop --yes",
    "docker compose up -d && npm test; docker compose down -v",
    "docker volume create t && docker volume rm t",
    "docker volume create pgdata && docker compose up -d && docker volume rm pgdata",
    "docker volume create pg-test; docker volume rm pg-test",
    "docker volume create pg-test && docker volume rm pgdata",
    "docker volume create latest-data && docker volume rm latest-data",
    "docker run -d --name t postgres && docker rm -f -v db",
    "docker run -d --name t postgres && docker rm -f -v t db",
    "docker rm -f -v t; docker run -d --name t postgres",
    "docker start t && docker rm -f -v t",
    "docker run -d postgres && docker rm -f -v t",
    "docker run -d --name t postgres && docker --context prod rm -f -v t",
    "docker run -d --name t postgres && docker context use prod && docker rm -f -v t",
    "docker run -d --name t postgres && DOCKER_HOST=ssh://prod docker rm -f -v t",
    "docker run -d --name t -v pgdata:/d postgres; docker volume rm pgdata",
    "lxc launch ubuntu:24.04 && lxc delete t",
    "if kind create cluster --name t; then :; fi; kubectl delete namespace t",
  ])("is lost: %s", (line) => expect(kinds(line)).not.toEqual([]));
});
