// Command kubelite is a Kubernetes control plane in one program: etcd, the API server, the controller manager, the
// scheduler, kubectl, and kwok, which plays the kubelet of nodes that do not exist. The first argument names the part.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kwokconfig "sigs.k8s.io/kwok/pkg/config"
	kwok "sigs.k8s.io/kwok/pkg/kwok/cmd"
	kwoklog "sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

var parts = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

func main() {
	if len(os.Args) < 2 {
		fail("name a part")
	}
	part := os.Args[1]
	os.Args = append([]string{part}, os.Args[2:]...)
	if part != "kubectl" {
		go endWithParent()
	}
	switch part {
	case "etcd":
		etcdmain.Main(os.Args)
		return
	case "kwok":
		runNodes()
		return
	}
	command, known := parts[part]
	if !known {
		fail("there is no part " + part)
	}
	os.Exit(cli.Run(command()))
}

// runNodes starts kwok. Packages of Kubernetes have registered flags of the same names globally: it gets a set of its own.
func runNodes() {
	pflag.CommandLine = pflag.NewFlagSet("kwok", pflag.ContinueOnError)
	flags := pflag.NewFlagSet("global", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	logged, _ := kwoklog.InitFlags(signals.SetupSignalContext(), flags)
	configured, err := kwokconfig.InitFlags(logged, flags)
	if err != nil {
		fail(err.Error())
	}
	command := kwok.NewCommand(configured)
	command.PersistentFlags().AddFlagSet(flags)
	if err := command.ExecuteContext(configured); err != nil {
		os.Exit(1)
	}
}

// endWithParent ends this program when its standard input is closed, which it is when the test that started it is gone.
func endWithParent() {
	io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func fail(problem string) {
	fmt.Fprintln(os.Stderr, "kubelite: "+problem)
	os.Exit(2)
}
