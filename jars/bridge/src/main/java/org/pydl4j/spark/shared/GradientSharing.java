package org.pydl4j.spark.shared;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.pydl4j.PydlException;
import org.pydl4j.nn.Net;
import org.pydl4j.spark.Average;
import org.pydl4j.spark.Blueprint;
import org.pydl4j.spark.Dataset;
import org.pydl4j.spark.LostExecutor;
import org.pydl4j.spark.Master;
import org.pydl4j.spark.NetState;
import org.pydl4j.spark.Progress;
import org.pydl4j.spark.RoundTimes;
import org.pydl4j.spark.Tally;
import org.pydl4j.spark.WorkerResult;
import org.pydl4j.spark.WorkerTimes;
import org.pydl4j.tensor.Tensors;
import scala.reflect.ClassTag$;
import scala.reflect.ClassTag;

/**
 * Gradient sharing as DL4J's SharedTrainingMaster does it: workers train all the time, send what is large in their updates to each other, and the
 * driver's network takes every step that any of them takes. An epoch is one Spark job of a barrier stage; it ends when the driver has applied
 * exactly what the workers sent. Where it cannot, it is an error, and the network is as it was before the epoch.
 */
public final class GradientSharing implements Master {
    private static final long LOOK_MILLIS = 5;
    private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final UUID fit = UUID.randomUUID();
    private final Settings settings;
    /** executors that took part in an epoch */
    private final Set<String> known = new HashSet<>();
    private int epochs;
    private int mostWorkers;
    private Blueprint blueprint;

    public GradientSharing(JsonNode options) {
        settings = new Settings(options);
    }

    @Override
    public Tally epoch(JavaSparkContext sc, Net network, Dataset data, List<String> minibatches, Progress progress) throws Exception {
        requireSteps(network);
        int workers = Slots.workers(sc, settings, minibatches.size(), progress);
        mostWorkers = Math.max(mostWorkers, workers);
        Tally tally = new Tally();
        tally.workers = workers;
        try {
            train(sc, network, data, minibatches, progress, workers, tally);
        } catch (Exception e) {
            throw failed(e);
        }
        network.setScore(tally.score());
        progress.trained(tally);
        return tally;
    }

    private static void requireSteps(Net network) {
        OptimizationAlgorithm algorithm = network.model().conf().getOptimizationAlgo();
        if (algorithm != OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT) {
            throw new PydlException("ConfigError", "optimization_algo: gradient sharing needs stochastic_gradient_descent. Received: "
                    + algorithm.name().toLowerCase(Locale.ROOT), "optimization_algo", null);
        }
    }

    /** Losses say what they cost. */
    private Exception failed(Exception e) {
        if (!(e instanceof PydlException) || ((PydlException) e).kind().equals("NaNScoreError")) {
            return e;
        }
        PydlException cause = (PydlException) e;
        String message = cause.getMessage() + " The network was put back to where it was before the epoch.";
        return new PydlException(cause.kind(), message, cause.path(), cause);
    }

    private void train(
            JavaSparkContext sc, Net network, Dataset data, List<String> minibatches, Progress progress, int workers, Tally tally)
            throws Exception {
        RoundTimes times = new RoundTimes();
        long began = System.nanoTime();
        Epoch epoch = new Epoch(fit, epochs++);
        int longest = Updates.longest(network.params().length());
        Node node = Nodes.enter(epoch, () -> open(sc, epoch, longest, workers));
        if (blueprint == null) {
            blueprint = Blueprint.of(sc, network);
        }
        Broadcast<NetState> start = sc.broadcast(NetState.of(network, true));
        long handedOut = System.nanoTime();
        JobWatch watch = new JobWatch(epoch);
        sc.sc().addSparkListener(watch);
        sc.setLocalProperty(JobWatch.EPOCH, epoch.toString());
        try (Consumer consumer = new Consumer(node, network, workers)) {
            Roll roll = new Roll(node, workers);
            Workers states = new Workers(node, workers);
            SharedWorker worker = new SharedWorker(new Call(epoch, longest, workers, node.address()), settings, blueprint, start, data.loader());
            JavaFutureAction<List<SharedResult>> job = barrier(data.deal(sc, minibatches, workers), worker).collectAsync();
            List<SharedResult> results = new Run(job, watch, node, consumer, roll, states, workers, progress).results();
            long trained = System.nanoTime();
            tally(tally, network, results, consumer);
            times.broadcast = (handedOut - began) / 1e9;
            times.wait = (trained - handedOut) / 1e9;
            times.average = WorkerTimes.since(trained);
            times.bytes = NetState.length(network);
            results.forEach(result -> times.workers.addAll(result.trained.times));
            tally.times.add(times);
        } finally {
            sc.setLocalProperty(JobWatch.EPOCH, null);
            sc.sc().removeSparkListener(watch);
            Nodes.leave(epoch);
            start.destroy();
        }
    }

    private Node open(JavaSparkContext sc, Epoch epoch, int longest, int workers) {
        if (sc.sc().isLocal()) {
            return Node.alone(epoch, longest);
        }
        InetAddress ip;
        if (settings.controller != null) {
            ip = Addresses.resolve(settings.controller);
        } else if (settings.mask != null) {
            ip = Addresses.inside(settings.mask);
        } else {
            ip = Addresses.resolve(sc.sc().conf().get("spark.driver.host"));
        }
        return Node.listening(epoch, longest, "driver", ip, settings.ports, settings.stream, workers);
    }

    private static JavaRDD<SharedResult> barrier(JavaRDD<String> minibatches, SharedWorker worker) {
        ClassTag<SharedResult> tag = ClassTag$.MODULE$.apply(SharedResult.class);
        return minibatches.rdd().barrier().mapPartitions(worker, false, tag).toJavaRDD();
    }

    private static void tally(Tally tally, Net network, List<SharedResult> results, Consumer consumer) {
        consumer.close(); // its counts, and the parameters, are final
        List<WorkerResult> trained = new ArrayList<>();
        for (SharedResult result : results) {
            trained.add(result.trained);
            requireAll(result, results, consumer.applied(result.worker));
            tally.applied += consumer.applied(result.worker);
        }
        tally.add(trained);
        tally.requireFinite();
        if (!Tensors.isFinite(network.params())) {
            throw new PydlException("NaNScoreError", "the parameters are no longer finite. The network was put back to where it was before the "
                    + "epoch. Try a smaller learning rate, gradient_normalization, or a normalizer for the features.");
        }
        Average.updaterInto(network, trained);
    }

    /** That each of its updates has come to the driver and to every other worker. */
    private static void requireAll(SharedResult from, List<SharedResult> results, long applied) {
        long sent = from.trained.updates;
        if (applied != sent) {
            throw new PydlException("CountMismatchError", "the driver applied " + applied + " of the " + sent + " updates of worker "
                    + from.worker + " on " + from.host + ".");
        }
        for (SharedResult to : results) {
            if (to.received[from.worker] != sent) {
                throw new PydlException("CountMismatchError", "worker " + to.worker + " on " + to.host + " received "
                        + to.received[from.worker] + " of the " + sent + " updates of worker " + from.worker + " on " + from.host + ".");
            }
        }
    }

    @Override
    public void close() {
        if (blueprint != null) {
            blueprint.close();
        }
        for (int worker = 0; worker < mostWorkers; worker++) {
            Encoder.forget(new Epoch(fit, 0), worker);
        }
    }

    /** An epoch's job while it runs. Nothing in it is waited for without an end. */
    private final class Run {
        private final JavaFutureAction<List<SharedResult>> job;
        private final JobWatch watch;
        private final Node node;
        private final Consumer consumer;
        private final Roll roll;
        private final Workers states;
        private final int workers;
        private final Progress progress;
        private final long began = System.nanoTime();
        private long told = began;
        private boolean drained;
        private long moved;
        private long applied;

        Run(
                JavaFutureAction<List<SharedResult>> job,
                JobWatch watch,
                Node node,
                Consumer consumer,
                Roll roll,
                Workers states,
                int workers,
                Progress progress) {
            this.job = job;
            this.watch = watch;
            this.node = node;
            this.consumer = consumer;
            this.roll = roll;
            this.states = states;
            this.workers = workers;
            this.progress = progress;
        }

        List<SharedResult> results() throws Exception {
            try {
                while (true) {
                    try {
                        return job.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException e) {
                        look();
                    }
                }
            } catch (ExecutionException e) {
                throw first(e.getCause() instanceof Exception ? (Exception) e.getCause() : e);
            } catch (Exception e) {
                stop();
                throw first(e);
            }
        }

        /** Spark's listeners hear of a failure a moment after the job. */
        private Exception first(Exception e) throws InterruptedException {
            for (int i = 0; i < 100 && watch.failure() == null && !(e instanceof PydlException); i++) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            PydlException failure = watch.failure();
            if (failure != null && failure.kind().equals("SparkError") && !roll.isGone()) {
                return new PydlException(failure.kind(), failure.getMessage() + unheard(), failure.path(), failure);
            }
            return failure == null ? e : failure;
        }

        private String unheard() {
            Map<String, String> unheard = new TreeMap<>(watch.executors());
            roll.nodes().forEach(node -> unheard.remove(node.executor));
            List<String> names = new ArrayList<>();
            unheard.forEach((executor, host) -> names.add("executor " + executor + " on " + host));
            return names.isEmpty() ? "" : "\nThe driver has not heard of " + String.join(", ", names) + ".";
        }

        private void stop() throws InterruptedException {
            job.cancel(true);
            long end = System.nanoTime() + END_NANOS;
            while (!job.isDone() && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }

        private void look() {
            if (watch.failure() != null) {
                throw watch.failure();
            }
            node.check();
            if (drained) {
                requireEnd();
                return;
            }
            states.check(roll.nodes(), settings.updateNanos);
            if (!roll.isGone()) {
                requireStarted();
                requireAnswers();
                if (roll.call()) {
                    states.begin();
                }
            } else {
                drain();
            }
            long now = System.nanoTime();
            if (now - told > TELL_NANOS && states.haveTrained()) {
                told = now;
                progress.trained(states.tally());
            }
        }

        private void requireStarted() {
            if (System.nanoTime() - began > START_NANOS) {
                throw new PydlException("SparkError", "only " + watch.started() + " of " + workers + " workers have started within "
                        + TimeUnit.NANOSECONDS.toSeconds(START_NANOS) + " s, and they need each other. Where other jobs hold the slots, end "
                        + "those or lower num_workers.");
            }
        }

        /** Those that took part in an epoch before have nothing to load. */
        private void requireAnswers() {
            if (node.address() == null) {
                return;
            }
            Set<String> silent = watch.startedBefore(System.nanoTime() - ANSWER_NANOS);
            silent.retainAll(known);
            roll.nodes().forEach(node -> silent.remove(node.executor));
            for (String executor : silent) {
                String what = "executor " + executor + " on " + watch.executors().get(executor) + " did not answer for "
                        + TimeUnit.NANOSECONDS.toSeconds(ANSWER_NANOS) + " s.";
                throw new PydlException("ExecutorLostError", what, null, new LostExecutor(executor, null));
            }
        }

        /** Their nodes are closed, so nothing is heard of them any more. */
        private void requireEnd() {
            if (System.nanoTime() - moved > settings.updateNanos) {
                throw new PydlException("ExecutorLostError", "workers had everything, but sent no results for "
                        + TimeUnit.NANOSECONDS.toSeconds(settings.updateNanos) + " s (update_timeout).");
            }
        }

        /** Lets the workers go when all have everything. */
        private void drain() {
            if (!states.haveEnded()) {
                return;
            }
            if (states.haveAll() && consumer.isComplete()) {
                drained = true;
                moved = System.nanoTime();
                known.addAll(watch.executors().keySet());
                node.say(Message.of(Kind.DRAINED, Message.DRIVER, 0));
                return;
            }
            long now = System.nanoTime();
            long count = applied();
            if (moved == 0 || count != applied) {
                applied = count;
                moved = now;
            } else if (now - moved > LOST_NANOS) {
                throw new PydlException("CountMismatchError", "updates were lost on the network: the driver applied " + missing()
                        + "; workers without all of the others': " + states.incomplete() + ".");
            }
        }

        private long applied() {
            long sum = 0;
            for (int worker = 0; worker < workers; worker++) {
                sum += consumer.applied(worker);
            }
            return sum;
        }

        private String missing() {
            List<String> missing = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                missing.add(consumer.applied(worker) + " of the " + states.sent(worker) + " of worker " + worker);
            }
            return String.join(", ", missing);
        }
    }
}
